//! A filter of the fingerprints of a part: a fingerprint that is not in the filter is not in the part. One in a few
//! hundred other fingerprints passes; then the part itself is searched.
//!
//! # Stability
//! The file: `PLYKEYS1`, or `PLYKEYS2` for short fingerprints, the number of keys and of words in 8 bytes each, the words, and the xxh3 of all preceding
//! bytes. Numbers are little-endian. Eight words form a line. The upper half of a key selects its line, and nine bits
//! each of the key times an odd number select its five bits in the line. The file can always be rebuilt from the part.

use std::{
    fs::File,
    io::{Read, Write},
    path::Path,
};

use twox_hash::XxHash3_64;

use super::PartsError;
use crate::{
    archive::StoredFingerprints,
    files::{Output, Protected},
};

const MAGIC: [&[u8; 8]; 2] = [b"PLYKEYS1", b"PLYKEYS2"];

/// Bits of the filter per key.
// An import holds the filters of all parts in memory, 10.5 GB for 7 billion games (docs/growth.md), so size matters
// more here than a few lookups in vain.
const BITS_A_KEY: u64 = 12;

/// Words of a line. A line is one cache line of the processor, so a lookup costs one cache miss.
const LINE: u64 = 8;

/// Bytes before and after the words.
const HEAD: usize = 24;
const TAIL: usize = 8;

/// A set of fingerprints with false positives but no false negatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    keys: u64,
    /// Whether they are short.
    are_short: bool,
    words: Vec<u64>,
}

impl Filter {
    /// The filter of some fingerprints.
    pub(super) fn of(fingerprints: &StoredFingerprints) -> Filter {
        Filter::of_keys(fingerprints.keys(), fingerprints.are_short())
    }

    fn of_keys(fingerprints: &[u64], are_short: bool) -> Filter {
        let keys = fingerprints.len() as u64;
        let lines = usize::try_from((keys * BITS_A_KEY).div_ceil(64 * LINE)).unwrap_or(1).max(1);
        let mut filter = Filter { keys, are_short, words: vec![0; lines * LINE as usize] };
        for &key in fingerprints {
            for (word, bit) in filter.places(key) {
                if let Some(word) = filter.words.get_mut(word) {
                    *word |= bit;
                }
            }
        }
        filter
    }

    /// Whether a fingerprint may be one of them.
    pub(super) fn may_have(&self, key: u64) -> bool {
        let has = |(word, bit): (usize, u64)| self.words.get(word).is_some_and(|word| word & bit != 0);
        self.places(key).into_iter().all(has)
    }

    /// The words of a key, and its bit in each.
    fn places(&self, key: u64) -> [(usize, u64); 5] {
        let lines = self.words.len() as u64 / LINE;
        let line = ((key >> 32) * lines >> 32) * LINE;
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [19, 28, 37, 46, 55].map(|shift| {
            let place = mixed >> shift & 511;
            ((line + (place >> 6)) as usize, 1 << (place & 63))
        })
    }

    /// The bytes of the file: see [`write`](Filter::write).
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 8 * self.words.len() + TAIL);
        bytes.extend(MAGIC[usize::from(self.are_short)]);
        bytes.extend(self.keys.to_le_bytes());
        bytes.extend((self.words.len() as u64).to_le_bytes());
        self.words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        let sum = XxHash3_64::oneshot(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Writes the file atomically.
    pub(super) fn write(&self, path: &Path) -> Result<(), PartsError> {
        let mut file = Output::create(path, true, &Protected::default())?;
        file.write_all(&self.bytes()).map_err(|error| PartsError::io(path, error))?;
        Ok(file.finish()?)
    }

    /// Reads the file of this many keys, which may be short; `None` if it is missing or has changed.
    pub(super) fn read(path: &Path, keys: u64, are_short: bool) -> Option<Filter> {
        let mut file = File::open(path).ok()?;
        let words = (keys.checked_mul(BITS_A_KEY)?.div_ceil(64 * LINE)).max(1).checked_mul(LINE)?;
        let length = words.checked_mul(8)?.checked_add((HEAD + TAIL) as u64)?;
        if file.metadata().ok()?.len() != length {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
        Read::by_ref(&mut file).take(length).read_to_end(&mut bytes).ok()?;
        let (content, sum) = bytes.split_last_chunk::<TAIL>()?;
        let (head, content_words) = content.split_at_checked(HEAD)?;
        let expected = [*MAGIC[usize::from(are_short)], keys.to_le_bytes(), words.to_le_bytes()].concat();
        if XxHash3_64::oneshot(content) != u64::from_le_bytes(*sum) || head != expected {
            return None;
        }
        let (words, _) = content_words.as_chunks::<8>();
        Some(Filter { keys, are_short, words: words.iter().map(|word| u64::from_le_bytes(*word)).collect() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn keys(range: std::ops::Range<u64>) -> Vec<u64> {
        range.map(|n| XxHash3_64::oneshot(&n.to_le_bytes())).collect()
    }

    #[test]
    fn no_fingerprint_is_missed_and_false_positives_are_rare() {
        for count in [0, 1, 7, 50_000] {
            let (own, others) = (keys(0..count), keys(1 << 40..(1 << 40) + 100_000));
            let filter = Filter::of_keys(&own, false);
            assert!(own.iter().all(|&key| filter.may_have(key)));
            let wrong = others.iter().filter(|&&key| filter.may_have(key)).count();
            assert!(wrong < 1200, "{wrong} of 100,000 next to {count}");
        }
    }

    #[test]
    fn filters_round_trip_and_changed_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part.keys");
        let filter = Filter::of_keys(&keys(0..300), true);
        filter.write(&path).unwrap();
        assert_eq!(Filter::read(&path, 300, true), Some(filter));
        // Long fingerprints do not pass a filter of short ones.
        assert_eq!(Filter::read(&path, 300, false), None);
        for other in [0, 299, 301, u64::MAX, u64::MAX / 12] {
            assert_eq!(Filter::read(&path, other, true), None, "{other}");
        }
        let bytes = std::fs::read(&path).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 16;
            std::fs::write(&path, changed).unwrap();
            assert_eq!(Filter::read(&path, 300, true), None, "{place}");
        }
        std::fs::write(&path, &bytes[..bytes.len() - 8]).unwrap();
        assert_eq!(Filter::read(&path, 300, true), None);
    }
}
