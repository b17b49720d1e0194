//! A Bloom filter with five bits per key, to quickly rule out keys that do not exist.

/// Largest filter, in 64-bit words: 32 MiB. It is accurate for 16 million keys, and less so for more.
// The largest part of an import's memory that grows with the archive, hence the limit. Beyond it more new keys are
// looked up in vain, which is slower but not wrong.
const MAX_WORDS: u64 = 1 << 22;

/// Bits per key: one in five hundred missing keys passes a full filter.
const BITS_A_KEY: u64 = 16;

/// Where the nine bits of a mixed key are that choose each bit of a line.
// With three bits per key, one in two hundred passes, and every run is searched for each of them.
const SHIFTS: [u32; 5] = [19, 28, 37, 46, 55];

/// A set with false positives but no false negatives.
#[derive(Debug, Default)]
pub(super) struct Bloom {
    words: Vec<u64>,
    keys: u64,
}

impl Bloom {
    /// A filter with space for at least this number of keys.
    pub(super) fn with_room(keys: u64) -> Bloom {
        let words = (keys * BITS_A_KEY / 64).next_power_of_two().clamp(1 << 13, MAX_WORDS);
        Bloom { words: vec![0; usize::try_from(words).unwrap_or(0)], keys: 0 }
    }

    /// Whether a larger filter would be more accurate.
    pub(super) fn is_full(&self) -> bool {
        let words = self.words.len() as u64;
        words < MAX_WORDS && self.keys * BITS_A_KEY >= words * 64
    }

    pub(super) fn insert(&mut self, key: u64) {
        self.keys += 1;
        for (word, bit) in self.places(key) {
            if let Some(word) = self.words.get_mut(word) {
                *word |= bit;
            }
        }
    }

    pub(super) fn may_have(&self, key: u64) -> bool {
        self.places(key).all(|(word, bit)| self.words.get(word).is_some_and(|word| word & bit != 0))
    }

    /// Five bits in one cache line, from the mixed bits of a key.
    fn places(&self, key: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ mixed >> 32;
        // A power of two of at least eight words.
        let line = mixed as usize & self.words.len().wrapping_sub(1) & !7;
        SHIFTS.iter().map(move |shift| {
            let place = (mixed >> shift) as usize;
            (line | place >> 6 & 7, 1 << (place & 63))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_missed_and_false_positives_are_rare() {
        let key = |n: u64| n.wrapping_mul(0xd134_2543_de82_ef95) ^ n << 7;
        let mut bloom = Bloom::with_room(50_000);
        (0..50_000).for_each(|n| bloom.insert(key(n)));
        assert!((0..50_000).all(|n| bloom.may_have(key(n))));
        let wrong = (50_000..150_000).filter(|&n| bloom.may_have(key(n))).count();
        assert!(wrong < 8_000, "{wrong}");
    }
}
