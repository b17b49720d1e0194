//! Approximate counting of keys, in one byte per slot, where several keys share a slot. Counts are never too low, so
//! nothing common is missed; counts that are too high are harmless. No update is lost, so the counts do not depend on
//! the order or on the number of threads.

use std::{
    hint::black_box,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

use rayon::prelude::*;

use crate::position_index::keys::scale;

/// The initial count: memory that is zero would be assigned by the system only when it is first written, page by page.
const NONE: u8 = 1;

/// Counting stops here: below 256 by more than the number of threads, each of which may exceed it by one.
const MOST: u8 = 150;

/// A slot that has reached [`MOST`] then still has more than any threshold for common keys, even if each of the games had
/// two keys in it.
pub const MOST_TAKEN_BACK: usize = 50;

/// Approximate counts of keys, up to [`MOST`].
#[derive(Debug)]
pub struct Sketch {
    counts: Vec<AtomicU8>,
    /// Number of times that a key may occur without being common.
    times: u8,
}

impl Sketch {
    /// Empty counters for keys of which at most this many games have a few dozen each. A key is common if it occurs
    /// more than `times` times, at most 48.
    pub fn of_games(games: usize, times: u8) -> Sketch {
        debug_assert!(usize::from(times) + 2 * MOST_TAKEN_BACK < usize::from(MOST - NONE));
        Sketch { counts: (0..places(games)).map(|_| AtomicU8::new(NONE)).collect(), times }
    }

    #[inline]
    fn place(&self, hash: u64) -> Option<&AtomicU8> {
        self.counts.get(scale(hash, self.counts.len() as u64) as usize)
    }

    /// Counts keys, by their hashes.
    pub fn add(&self, hashes: &[u64]) {
        // All counters are read first: they are far apart in memory, and this way the cache misses overlap, while each
        // update would wait for the previous one.
        black_box(
            hashes
                .iter()
                .filter_map(|&hash| self.place(hash))
                .fold(0, |all, count| all | count.load(Relaxed)),
        );
        // An atomic addition, although it is slower than loading and storing: a lost update could miss a popular
        // position, and the segment would then depend on timing, while `verify` must be able to rebuild it byte
        // for byte.
        for count in hashes.iter().filter_map(|&hash| self.place(hash)) {
            if count.load(Relaxed) < MOST {
                count.fetch_add(1, Relaxed);
            }
        }
    }

    /// Takes back keys that were counted. What was counted up to [`MOST`] stays as it is, so the counts are
    /// right for at most [`MOST_TAKEN_BACK`] games; for more, count all others again.
    pub fn take_back(&self, hashes: &[u64]) {
        let counts = hashes.iter().filter_map(|&hash| self.place(hash));
        for count in counts.filter(|count| count.load(Relaxed) < MOST) {
            count.fetch_sub(1, Relaxed);
        }
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.counts.fill_with(|| AtomicU8::new(NONE));
    }

    /// Which keys may be common, as if the counters had been sized for this many games.
    pub fn often(self, games: usize) -> Often {
        debug_assert!(self.counts.len() >= places(games), "the counters are too few for {games} games");
        let times = self.times;
        let mut counts: Vec<u8> =
            self.counts.into_iter().map(|count| count.into_inner().saturating_sub(NONE)).collect();
        // Slots are in the order of hashes, so a smaller table is the sums of neighbours.
        // The builder may have been sized for more games than it got. Without this, the same games would give other
        // collisions, and so another segment.
        while counts.len() > places(games) {
            counts = counts.as_chunks().0.iter().map(|&[a, b]: &[u8; 2]| a.saturating_add(b)).collect();
        }
        Often(counts.as_chunks().0.par_iter().map(|counts| bits(counts.map(|count| count > times))).collect())
    }
}

/// One bit each, the first is the lowest.
fn bits(all: [bool; 64]) -> u64 {
    // A multiplication gathers eight bytes in its top byte, which is faster than bit by bit.
    let byte = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    all.map(u8::from).as_chunks().0.iter().rev().fold(0, |bits, eight| bits << 8 | byte(eight))
}

/// The number of slots for the keys of this many games.
fn places(games: usize) -> usize {
    games.saturating_mul(32).next_power_of_two().clamp(1 << 12, 1 << 24)
}

/// Keys that may be common: one bit per slot, which fits into a nearer cache than the counts. By default none.
#[derive(Debug, Default)]
pub struct Often(Vec<u64>);

impl Often {
    /// Whether a key may be common, by its hash.
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
        fn common_keys_are_found_and_depend_only_on_the_games(
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
