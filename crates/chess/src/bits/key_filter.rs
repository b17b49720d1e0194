//! Rejects nearly every key that is not in a set, faster than a hash table lookup.

/// One bit is set for each key of a set; keys may share bits. Keys have to be random, at least in their low bits.
#[derive(Clone, Debug)]
pub struct KeyFilter(Vec<u64>);

impl KeyFilter {
    /// The filter of some keys; the number of its bits is rounded up to a power of two.
    pub fn new(keys: impl IntoIterator<Item = u64>, bits: usize) -> KeyFilter {
        let mut filter = KeyFilter(vec![0; (bits / 64).next_power_of_two()]);
        for key in keys {
            let (word, bit) = filter.place(key);
            filter.0[word] |= bit;
        }
        filter
    }

    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        ((key >> 6) as usize & (self.0.len() - 1), 1 << (key % 64))
    }

    /// Whether a key may be in the set.
    #[inline]
    pub fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.0[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Openings;

    #[test]
    fn every_key_of_the_set_and_few_others_match() {
        let keys: Vec<u64> = Openings::standard().iter().map(|(_, opening)| opening.key).collect();
        let filter = KeyFilter::new(keys.iter().copied(), 1 << 16);
        assert!(keys.iter().all(|key| filter.may_have(*key)));
        let others =
            keys.iter().filter(|key| filter.may_have(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))).count();
        assert!(others * 10 < keys.len(), "{others} of {}", keys.len());
    }
}
