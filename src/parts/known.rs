//! Which games the parts of a collection have, by fingerprint. Filters answer nearly all lookups; if a filter reports a
//! match, the part itself is searched.

use super::{Catalogue, Part, PartsError, filter::Filter};
use crate::archive::{Archive, FingerprintLookup, StoredFingerprints};

/// The fingerprints of the games of some parts.
#[derive(Debug, Default)]
pub(super) struct KnownGames {
    /// Part, filter and lookup.
    parts: Vec<(Part, Filter, FingerprintLookup)>,
}

impl KnownGames {
    /// Adds the parts that have been listed since, and forgets those that have been taken out again. Returns the number
    /// of the last part that was known before.
    pub(super) fn follow(&mut self, catalogue: &Catalogue) -> Result<u32, PartsError> {
        let same = self.parts.iter().zip(&catalogue.parts).take_while(|((known, ..), part)| known == *part);
        let same = same.count();
        self.parts.truncate(same);
        let last = self.last();
        for part in catalogue.parts.iter().skip(same) {
            let lookup = FingerprintLookup::open(&catalogue.path_of(part))?;
            let filter = filter_of(catalogue, part, &lookup)?;
            self.parts.push((part.clone(), filter, lookup));
        }
        Ok(last)
    }

    /// The number of the last part; 0 if there are none.
    pub(super) fn last(&self) -> u32 {
        self.parts.last().map_or(0, |(part, ..)| part.number)
    }

    /// Whether a part with a higher number than this has a game with this fingerprint.
    ///
    /// # Errors
    /// The keys of a part are damaged.
    pub(super) fn has_since(&self, fingerprint: u64, number: u32) -> Result<bool, PartsError> {
        for (_, filter, lookup) in self.parts.iter().filter(|(part, ..)| part.number > number) {
            if filter.may_have(lookup.cut(fingerprint)) && lookup.has(fingerprint)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same for a game of another archive.
    ///
    /// # Errors
    /// The keys of a part are damaged.
    pub(super) fn has_one_of(
        &self,
        others: &StoredFingerprints,
        key: u64,
        number: u32,
    ) -> Result<bool, PartsError> {
        if !others.are_short() {
            return self.has_since(key, number);
        }
        // A filter of long fingerprints cannot tell.
        for (_, filter, lookup) in self.parts.iter().filter(|(part, ..)| part.number > number) {
            if (!lookup.are_short() || filter.may_have(key)) && lookup.has_short(key)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The filter of a part. If it is missing or damaged, it is rebuilt.
fn filter_of(catalogue: &Catalogue, part: &Part, lookup: &FingerprintLookup) -> Result<Filter, PartsError> {
    let path = catalogue.dir.join(&part.filter);
    // There may be more fingerprints than games: those of games that were removed or edited before the archive became a
    // part.
    match Filter::read(&path, lookup.count(), lookup.are_short()) {
        Some(filter) => Ok(filter),
        None => {
            let filter = Filter::of(&Archive::open(catalogue.path_of(part))?.maintenance().fingerprints()?);
            filter.write(&path)?;
            Ok(filter)
        }
    }
}
