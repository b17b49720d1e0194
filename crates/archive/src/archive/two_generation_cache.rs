//! What was met lately, with what was found out about it.

use std::{borrow::Borrow, hash::Hash};

use foldhash::{HashMap, HashMapExt};

/// Remembers values by keys: at least the `most / 2` met last, and at most `most`.
#[derive(Debug)]
pub(in crate::archive) struct TwoGenerationCache<K, V> {
    most: usize,
    /// How often what was met before has been forgotten.
    generation: u64,
    lately: HashMap<K, V>,
    before: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Copy> TwoGenerationCache<K, V> {
    pub(in crate::archive) fn new(most: usize) -> TwoGenerationCache<K, V> {
        TwoGenerationCache { most, generation: 0, lately: HashMap::new(), before: HashMap::new() }
    }

    pub(in crate::archive) fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if let Some(value) = self.lately.get(key) {
            return Some(*value);
        }
        let (key, value) = self.before.remove_entry(key)?;
        self.insert(key, value);
        Some(value)
    }

    /// While this number stays, to get a value again changes nothing.
    pub(in crate::archive) fn generation(&self) -> u64 {
        self.generation
    }

    /// Remembers one more. When half of what may be remembered has been met lately, what has not is forgotten.
    pub(in crate::archive) fn insert(&mut self, key: K, value: V) {
        if self.lately.len() >= self.most / 2 {
            self.before = std::mem::take(&mut self.lately);
            self.generation += 1;
        }
        self.lately.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_met_again_and_again_is_never_forgotten() {
        let mut recent = TwoGenerationCache::new(100);
        recent.insert(0, 7);
        for key in 1..1_000 {
            recent.insert(key, key);
            assert_eq!(recent.get(&0), Some(7));
            assert!(recent.get(&(key - key.min(20))).is_some());
            assert!(recent.lately.len() + recent.before.len() <= 100);
        }
        assert_eq!(recent.get(&1), None);
    }
}
