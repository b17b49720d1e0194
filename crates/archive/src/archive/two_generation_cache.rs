//! What was met lately, with what was found out about it.

use std::{
    borrow::Borrow,
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, Hash},
};

use foldhash::fast::RandomState;

/// Remembers values by keys: at least half of what may be remembered, those met last, and never more than all of it.
#[derive(Debug)]
pub struct TwoGenerationCache<K, V, S = RandomState> {
    /// The weight of each of the two generations at most.
    most: usize,
    weigh: fn(&K, &V) -> usize,
    /// How often what was met before has been forgotten.
    generation: u64,
    lately: HashMap<K, V, S>,
    /// The weight of those.
    weight: usize,
    before: HashMap<K, V, S>,
}

impl<K: Eq + Hash, V: Clone, S: BuildHasher + Default> TwoGenerationCache<K, V, S> {
    /// For so many values.
    pub fn new(most: usize) -> TwoGenerationCache<K, V, S> {
        TwoGenerationCache::weighed(most, |_, _| 1)
    }

    /// For values that have a weight, up to a sum; one of more than half of that is not remembered.
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

    /// While this number stays, to get a value again changes nothing.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Remembers one more. When what has been met lately has half of the weight, what has not is forgotten.
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
    fn what_is_met_again_and_again_is_never_forgotten() {
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
    fn what_is_remembered_weighs_no_more_than_it_may() {
        let mut recent = TwoGenerationCache::<usize, usize>::weighed(100_000, |_, bytes| *bytes);
        recent.insert(0, 100);
        for key in 1..5_000 {
            recent.insert(key, key % 900);
            assert!(recent.get(&0).is_some(), "{key}");
            let all = recent.lately.iter().chain(&recent.before);
            assert!(all.map(|(_, bytes)| bytes).sum::<usize>() <= 100_000);
        }
        // A value that takes the place of another weighs what it weighs.
        for bytes in (0..50_000).step_by(100) {
            recent.insert(1, bytes);
            let lately = recent.lately.values().sum::<usize>();
            assert!(lately == recent.weight && lately <= 50_000, "{bytes}");
        }
        recent.insert(5_000, 50_001);
        assert_eq!((recent.get(&5_000), recent.get(&2)), (None, None));
    }
}
