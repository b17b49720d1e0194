//! Sorting in shares: what the threads find is divided by its size while it is found, so that each share fits the cache
//! of a core and is sorted and written by itself, and so that there need not be all of it at once.

use std::ops::Range;

use rayon::prelude::*;

/// From how many games on a segment has another share, and most shares.
const GAMES: u64 = 4096;
const MOST: u64 = 64;

/// Games of which all that is sorted may be in memory at once.
const GAMES_AT_ONCE: usize = 5 << 16;

/// How numbers are divided. It depends on the games of a segment alone: rows end where a share ends.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    shift: u32,
    count: usize,
    games: usize,
}

impl Shares {
    /// Of numbers up to a greatest one, in a segment of so many games.
    pub fn new(greatest: u64, games: usize) -> Shares {
        let wanted = (games as u64 / GAMES).clamp(1, MOST);
        let shift = 64 - (greatest / wanted).leading_zeros();
        Shares { shift, count: greatest.checked_shr(shift).unwrap_or(0) as usize + 1, games }
    }

    /// The share of a number.
    #[inline]
    pub fn of(&self, number: u64) -> usize {
        number.checked_shr(self.shift).unwrap_or(0) as usize
    }

    /// Which shares are gone through together.
    pub fn parts(self) -> impl Iterator<Item = Range<usize>> {
        // Of more games there is more beside what is sorted, so only about half as much of that.
        let times = self.games.div_ceil(GAMES_AT_ONCE).max(1);
        let together = self.count.div_ceil(if times > 1 { 2 * times } else { 1 });
        (0..self.count).step_by(together).map(move |from| from..self.count.min(from + together))
    }

    /// Nothing found yet of some shares by one of the threads, with room for its part of so many in all.
    pub fn room<T>(&self, part: &Range<usize>, all: usize) -> Vec<Vec<T>> {
        // What outgrows its room is copied, and room that is not used takes no memory.
        let room = all / self.count / rayon::current_num_threads().max(1) * 9 / 8;
        part.clone().map(|_| Vec::with_capacity(room)).collect()
    }
}

/// Sorts each share of what the threads have found, and makes something of it.
pub fn sorted<T: Ord + Send, R: Send>(found: Vec<Vec<Vec<T>>>, make: impl Fn(Vec<T>) -> R + Sync) -> Vec<R> {
    let mut shares: Vec<Vec<Vec<T>>> = Vec::new();
    for lists in found {
        shares.resize_with(shares.len().max(lists.len()), Vec::new);
        shares.iter_mut().zip(lists).for_each(|(share, list)| share.push(list));
    }
    let sort = |lists: Vec<Vec<T>>| {
        let mut all = joined(lists);
        all.sort_unstable();
        make(all)
    };
    shares.into_par_iter().map(sort).collect()
}

/// Lists one after the other.
fn joined<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let length: usize = lists.iter().map(Vec::len).sum();
    let mut lists = lists.into_iter();
    let mut all = lists.next().unwrap_or_default();
    all.reserve_exact(length - all.len());
    lists.for_each(|list| all.extend(list));
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shares_are_in_order_and_none_is_left_out(greatest: u64, games in 1usize..1 << 21, numbers: [u64; 8]) {
            let shares = Shares::new(greatest, games);
            let mut numbers = numbers.map(|number| if greatest == u64::MAX { number } else { number % (greatest + 1) });
            numbers.sort_unstable();
            prop_assert!(numbers.is_sorted_by_key(|number| shares.of(*number)));
            let mut next = 0;
            for part in shares.parts() {
                prop_assert!(part.start == next && part.end > next);
                next = part.end;
            }
            prop_assert!(shares.of(greatest) < next && next as u64 <= MOST + 1);
        }
    }
}
