//! Rejects nearly every key of an unnamed position, faster than a hash table lookup.

/// Number of bits: about 17 times the number of named positions, and small enough to stay in the cache of a core.
const BITS: usize = 1 << 16;

/// One bit is set for each key of a set; keys may share bits.
#[derive(Debug)]
pub(super) struct KeyFilter(Vec<u64>);

impl KeyFilter {
    pub(super) fn of<'a>(keys: impl Iterator<Item = &'a u64>) -> KeyFilter {
        let mut words = vec![0; BITS / 64];
        for &key in keys {
            if let Some(word) = words.get_mut(KeyFilter::word(key)) {
                *word |= 1 << (key % 64);
            }
        }
        KeyFilter(words)
    }

    /// Keys are already random.
    #[inline]
    fn word(key: u64) -> usize {
        key as usize % BITS / 64
    }

    /// Whether a key may be in the set.
    #[inline]
    pub(super) fn may_have(&self, key: u64) -> bool {
        self.0.get(KeyFilter::word(key)).is_some_and(|word| word >> (key % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Openings;

    #[test]
    fn every_key_of_the_set_and_few_others_match() {
        let keys: Vec<u64> = Openings::standard().by_key.keys().copied().collect();
        let filter = KeyFilter::of(keys.iter());
        assert!(keys.iter().all(|key| filter.may_have(*key)));
        let others =
            keys.iter().filter(|key| filter.may_have(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))).count();
        assert!(others * 10 < keys.len(), "{others} of {}", keys.len());
    }
}
