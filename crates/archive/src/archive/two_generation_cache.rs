//! A cache of recently used values.

use std::{
    borrow::Borrow,
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, Hash},
};

use foldhash::fast::RandomState;

/// Caches values by key: always keeps at least the most recently used half of the capacity, and never exceeds the
/// capacity.
#[derive(Debug)]
pub struct TwoGenerationCache<K, V, S = RandomState> {
    /// The maximum weight of each of the two generations.
    most: usize,
    weigh: fn(&K, &V) -> usize,
    /// How often the older generation has been dropped.
    pub generation: u64,
    lately: HashMap<K, V, S>,
    /// The weight of the younger generation.
    weight: usize,
    before: HashMap<K, V, S>,
}

impl<K: Eq + Hash, V: Clone, S: BuildHasher + Default> TwoGenerationCache<K, V, S> {
    /// With a capacity in values.
    pub fn new(most: usize) -> TwoGenerationCache<K, V, S> {
        TwoGenerationCache::weighed(most, |_, _| 1)
    }

    /// With a capacity in total weight; a value heavier than half of it is not cached.
    pub fn weighed(most: usize, weigh: fn(&K, &V) -> usize) -> TwoGenerationCache<K, V, S> {
        let (lately, before) = (HashMap::default(), HashMap::default());
        TwoGenerationCache { most: most / 2, weigh, generation: 0, lately, weight: 0, before }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if let Some(value) = self.lately.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.before.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        (self.lately, self.before, self.weight) = (HashMap::default(), HashMap::default(), 0);
        self.generation += 1;
    }

    /// Adds a value. When the younger generation has half of the weight, the older one is dropped.
    pub fn insert(&mut self, key: K, value: V) {
        let weight = (self.weigh)(&key, &value);
        if weight > self.most {
            return;
        }
        if self.weight + weight > self.most {
            self.before = std::mem::take(&mut self.lately);
            self.weight = 0;
            self.generation += 1;
        }
        match self.lately.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(mut entry) => {
                let old = entry.insert(value);
                self.weight -= (self.weigh)(entry.key(), &old);
            }
        }
        self.weight += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequently_used_values_are_never_evicted() {
        let mut recent = TwoGenerationCache::<_, _>::new(100);
        recent.insert(0, 7);
        for key in 1..1_000 {
            recent.insert(key, key);
            assert_eq!(recent.get(&0), Some(7));
            assert!(recent.get(&(key - key.min(20))).is_some());
            assert!(recent.lately.len() + recent.before.len() <= 100);
        }
        assert_eq!(recent.get(&1), None);
    }

    #[test]
    fn total_weight_stays_within_the_limit() {
        let mut recent = TwoGenerationCache::<usize, usize>::weighed(100_000, |_, bytes| *bytes);
        recent.insert(0, 100);
        for key in 1..5_000 {
            recent.insert(key, key % 900);
            assert!(recent.get(&0).is_some(), "{key}");
            let all = recent.lately.iter().chain(&recent.before);
            assert!(all.map(|(_, bytes)| bytes).sum::<usize>() <= 100_000);
        }
        // A replaced value no longer counts.
        for bytes in (0..50_000).step_by(100) {
            recent.insert(1, bytes);
            let lately = recent.lately.values().sum::<usize>();
            assert!(lately == recent.weight && lately <= 50_000, "{bytes}");
        }
        recent.insert(5_000, 50_001);
        assert_eq!((recent.get(&5_000), recent.get(&2)), (None, None));
    }
}
