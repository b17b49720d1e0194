//! Counting roughly: how often each of many keys comes, in a byte a place that some keys share. Never too few, so that
//! nothing common is missed; too many is possible and harmless. No update is lost, so the counts do not depend on the
//! order or on the number of threads.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::position_index::keys::scale;

/// Where counting stops; some threads may pass it by one each.
const ENOUGH: u8 = 100;

/// Rough counts of keys.
#[derive(Debug)]
pub struct Sketch(Vec<AtomicU8>);

impl Sketch {
    /// Counts of nothing yet, for about so many different keys.
    pub fn new(keys: usize) -> Sketch {
        let places = keys.next_power_of_two().clamp(1 << 12, 1 << 24);
        Sketch((0..places).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline]
    fn place(&self, hash: u64) -> Option<&AtomicU8> {
        self.0.get(scale(hash, self.0.len() as u64) as usize)
    }

    /// Counts a key, by its hash.
    #[inline]
    pub fn add(&self, hash: u64) {
        if let Some(count) = self.place(hash)
            && count.load(Relaxed) < ENOUGH
        {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Whether a key may have come more than so many times (of at most 99).
    #[inline]
    pub fn may_exceed(&self, hash: u64, times: u8) -> bool {
        self.place(hash).is_some_and(|count| count.load(Relaxed) > times)
    }
}
