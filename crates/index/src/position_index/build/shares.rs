//! Sorting in shares: results are partitioned by value while they are found, so that each share fits into a core's
//! cache and is sorted and written independently, and so that not all of them are in memory at the same time.

use std::ops::Range;

use rayon::prelude::*;

/// A segment gets one more share per this many games, up to a limit.
const GAMES: u64 = 4096;
const MOST: u64 = 64;

/// Number of games whose sorted data may be in memory at the same time.
// A prototype that held the records of all positions in memory needed 3.3 GB for a million games.
const GAMES_AT_ONCE: usize = 5 << 16;

/// How values are partitioned. This depends only on the games of a segment, because rows end where a share ends.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    shift: u32,
    count: usize,
    games: usize,
}

impl Shares {
    /// For values up to a maximum, in a segment of this many games.
    pub fn new(greatest: u64, games: usize) -> Shares {
        let wanted = (games as u64 / GAMES).clamp(1, MOST);
        let shift = 64 - (greatest / wanted).leading_zeros();
        Shares { shift, count: greatest.checked_shr(shift).unwrap_or(0) as usize + 1, games }
    }

    /// The share of a value.
    #[inline]
    pub fn of(&self, number: u64) -> usize {
        number.checked_shr(self.shift).unwrap_or(0) as usize
    }

    /// Which shares are processed together.
    pub fn parts(self) -> impl Iterator<Item = Range<usize>> {
        let together = self.count.div_ceil(self.games.div_ceil(GAMES_AT_ONCE).max(1));
        (0..self.count).step_by(together).map(move |from| from..self.count.min(from + together))
    }

    /// Empty lists of some shares for one thread, with capacity for its part of all results.
    pub fn room<L>(&self, part: &Range<usize>, all: usize, with_room: impl Fn(usize) -> L) -> Vec<L> {
        // A list that outgrows its capacity is copied, while unused capacity takes no memory.
        // Popular positions are found by their whole keys, which are spread evenly, so every list gets about the same
        // number; an eighth more covers the variation.
        let room = all / self.count / rayon::current_num_threads().max(1) * 9 / 8;
        part.clone().map(|_| with_room(room)).collect()
    }
}

/// The lists of each share, from those of the threads.
pub fn by_share<L>(found: Vec<Vec<L>>) -> Vec<Vec<L>> {
    let mut shares: Vec<Vec<L>> = Vec::new();
    for lists in found {
        shares.resize_with(shares.len().max(lists.len()), Vec::new);
        shares.iter_mut().zip(lists).for_each(|(share, list)| share.push(list));
    }
    shares
}

/// Sorts each share of the threads' results, and converts it.
pub fn sorted<T: Ord + Send, R: Send>(found: Vec<Vec<Vec<T>>>, make: impl Fn(Vec<T>) -> R + Sync) -> Vec<R> {
    let sort = |lists: Vec<Vec<T>>| {
        let mut all = joined(lists);
        all.sort_unstable();
        make(all)
    };
    by_share(found).into_par_iter().map(sort).collect()
}

/// Concatenates lists.
pub fn joined<T>(lists: Vec<Vec<T>>) -> Vec<T> {
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
        fn shares_are_ordered_and_complete(greatest: u64, games in 1usize..1 << 21, numbers: [u64; 8]) {
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
