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

/// Where counting stops; some threads may pass it by one each.
const ENOUGH: u8 = NONE + 100;

/// Rough counts of keys.
#[derive(Debug)]
pub struct Sketch(Vec<AtomicU8>);

impl Sketch {
    /// Counts of nothing yet, for keys of which games have a few dozen each.
    pub fn of_games(games: usize) -> Sketch {
        let places = games.saturating_mul(32).next_power_of_two().clamp(1 << 12, 1 << 24);
        Sketch((0..places).map(|_| AtomicU8::new(NONE)).collect())
    }

    #[inline]
    fn place(&self, hash: u64) -> Option<&AtomicU8> {
        self.0.get(scale(hash, self.0.len() as u64) as usize)
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
            if count.load(Relaxed) < ENOUGH {
                count.fetch_add(1, Relaxed);
            }
        }
    }

    /// Which keys may have come more than so many times (of at most 99).
    pub fn often(self, times: u8) -> Often {
        let word = |counts: &[AtomicU8]| {
            counts
                .iter()
                .rev()
                .fold(0, |word, count| word << 1 | u64::from(count.load(Relaxed) > NONE + times))
        };
        Often(self.0.par_chunks(64).map(word).collect())
    }
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
