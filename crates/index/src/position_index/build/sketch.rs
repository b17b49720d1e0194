//! Counting roughly: how often each of many keys comes, in a byte a place that some keys share. Never too few, so that
//! nothing common is missed; too many is possible and harmless. No update is lost, so the counts do not depend on the
//! order or on the number of threads.

use std::{
    hint::black_box,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

use rayon::prelude::*;

use crate::position_index::keys::scale;

/// Where counting begins: memory that is zero at first would be given to the program only where it is written to, a
/// page at a time.
const NONE: u8 = 1;

/// Rough counts of keys, up to what makes a key common.
#[derive(Debug)]
pub struct Sketch {
    counts: Vec<AtomicU8>,
    /// How many times a key may come without being common.
    times: u8,
}

impl Sketch {
    /// Counts of nothing yet, for keys of which at most so many games have a few dozen each. Those are common that come
    /// more than so many times, of at most 99.
    pub fn of_games(games: usize, times: u8) -> Sketch {
        Sketch { counts: (0..places(games)).map(|_| AtomicU8::new(NONE)).collect(), times }
    }

    #[inline]
    fn place(&self, hash: u64) -> Option<&AtomicU8> {
        self.counts.get(scale(hash, self.counts.len() as u64) as usize)
    }

    /// Counts keys, by their hashes.
    pub fn add(&self, hashes: &[u64]) {
        // All are looked at first: they are far apart in memory and come together, while each update would wait for the
        // one before.
        black_box(
            hashes
                .iter()
                .filter_map(|&hash| self.place(hash))
                .fold(0, |all, count| all | count.load(Relaxed)),
        );
        for count in hashes.iter().filter_map(|&hash| self.place(hash)) {
            // Some threads may pass it by one each.
            if count.load(Relaxed) <= NONE + self.times {
                count.fetch_add(1, Relaxed);
            }
        }
    }

    /// Which keys may be common, as if the counts had been for so many games.
    pub fn often(self, games: usize) -> Often {
        let times = self.times;
        let mut counts: Vec<u8> =
            self.counts.into_iter().map(|count| count.into_inner().saturating_sub(NONE)).collect();
        // Places stand in the order of hashes, so that fewer are the sums of neighbours.
        while counts.len() > places(games) {
            counts = counts.as_chunks().0.iter().map(|&[a, b]: &[u8; 2]| a.saturating_add(b)).collect();
        }
        Often(counts.as_chunks().0.par_iter().map(|counts| bits(counts.map(|count| count > times))).collect())
    }
}

/// A bit each, the first the lowest.
fn bits(all: [bool; 64]) -> u64 {
    // A product brings eight bytes together in its top byte, which is quicker than bit by bit.
    let byte = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    all.map(u8::from).as_chunks().0.iter().rev().fold(0, |bits, eight| bits << 8 | byte(eight))
}

/// Places for the keys of so many games.
fn places(games: usize) -> usize {
    games.saturating_mul(32).next_power_of_two().clamp(1 << 12, 1 << 24)
}

/// Keys that may have come often: a bit a place, which is nearer than the counts. Of nothing, none has.
#[derive(Debug, Default)]
pub struct Often(Vec<u64>);

impl Often {
    /// Whether a key may have, by its hash.
    #[inline]
    pub fn may_have(&self, hash: u64) -> bool {
        let place = scale(hash, 64 * self.0.len() as u64);
        self.0.get((place / 64) as usize).is_some_and(|word| word >> (place % 64) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_came_often_is_known_and_depends_on_the_games_alone(
            keys in prop::collection::vec((any::<u64>(), 0usize..30), 0..200),
            more in 1usize..1 << 12,
        ) {
            let counted = |games| {
                let sketch = Sketch::of_games(games, 15);
                keys.iter().for_each(|&(key, times)| sketch.add(&vec![key; times]));
                sketch.often(100)
            };
            let often = counted(100);
            prop_assert_eq!(&often.0, &counted(100 * more).0);
            prop_assert!(keys.iter().all(|&(key, times)| times <= 15 || often.may_have(key)));
            prop_assert!(often.0.iter().map(|word| word.count_ones() as usize).sum::<usize>() <= keys.len());
        }
    }
}
