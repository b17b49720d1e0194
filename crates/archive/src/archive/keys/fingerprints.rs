//! Fingerprints as an archive stores them: all 64 bits or, if its games are packed, the first 56, which takes a byte less
//! per game. Among 10 million games, two different ones have the same 56 bits in one of 1,400 archives.

use std::path::Path;

use rusqlite::{Connection, Result};

use super::{
    KeyKind,
    runs::{self, Run},
    snapshot, stored_between, stored_keys,
};
use crate::archive::{Archive, ArchiveError, game_table};

/// The bits of a short fingerprint.
pub(super) const SHORT: u64 = !0xff;

/// The bits of fingerprints that an archive stores.
pub(super) fn mask(db: &Connection) -> Result<u64> {
    let long = "SELECT 1 FROM key_run WHERE kind = ?1";
    let has_long = || db.prepare_cached(long)?.exists([KeyKind::Fingerprints as i64]);
    Ok(if game_table::is_packed(db)? && !has_long()? { SHORT } else { u64::MAX })
}

/// The number of fingerprints of an archive.
pub(in crate::archive) fn fingerprint_count(db: &Connection) -> Result<u64> {
    let count = "SELECT coalesce(sum(keys), 0) FROM key_run WHERE kind IN (?1, ?2)";
    let kinds = [KeyKind::Fingerprints, KeyKind::ShortFingerprints].map(|kind| kind as i64);
    db.query_row(count, kinds, |row| row.get(0).map(i64::unsigned_abs))
}

/// Whether an archive has a fingerprint.
pub(in crate::archive) fn has_fingerprint(db: &Connection, fingerprint: u64) -> Result<bool> {
    let _snapshot = snapshot(db)?;
    let key = fingerprint & mask(db)?;
    Ok(!stored_between(db, KeyKind::Fingerprints, key, key)?.is_empty())
}

/// Shortens the fingerprints of an archive whose games are packed, unless two games would have the same; part of a
/// transaction. No [`Keys`](super::Keys) that were read before may be used any more.
pub(in crate::archive) fn shorten(db: &Connection) -> Result<()> {
    let long: Vec<Run> =
        runs::load(db)?.into_iter().filter(|run| run.kind == KeyKind::Fingerprints).collect();
    let keys = stored_keys(db, KeyKind::Fingerprints)?;
    if long.is_empty() || keys.windows(2).any(|pair| pair[0] & SHORT == pair[1] & SHORT) {
        return Ok(());
    }
    long.iter().try_for_each(|run| runs::remove(db, run))?;
    runs::write(db, KeyKind::Fingerprints, keys.into_iter().map(|key| Ok(key & SHORT))).map(drop)
}

/// The fingerprints of the games of an archive, as it stores them.
#[derive(Clone, Debug)]
pub struct StoredFingerprints {
    /// In order.
    keys: Vec<u64>,
    mask: u64,
}

impl StoredFingerprints {
    pub(in crate::archive) fn read(db: &Connection) -> Result<StoredFingerprints> {
        let _snapshot = snapshot(db)?;
        Ok(StoredFingerprints { keys: stored_keys(db, KeyKind::Fingerprints)?, mask: mask(db)? })
    }

    /// The part of a fingerprint that is stored.
    pub fn cut(&self, fingerprint: u64) -> u64 {
        fingerprint & self.mask
    }

    /// Whether a game has this fingerprint.
    pub fn has(&self, fingerprint: u64) -> bool {
        self.keys.binary_search(&self.cut(fingerprint)).is_ok()
    }

    /// Those of the games, in order, cut.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Whether they are short.
    pub fn are_short(&self) -> bool {
        self.mask == SHORT
    }
}

/// Stored fingerprints, and which of them have been met.
#[derive(Debug)]
pub(in crate::archive) struct FingerprintList {
    stored: StoredFingerprints,
    met: Vec<bool>,
}

impl FingerprintList {
    pub(in crate::archive) fn read(db: &Connection) -> Result<FingerprintList> {
        let stored = StoredFingerprints::read(db)?;
        Ok(FingerprintList { met: vec![false; stored.keys.len()], stored })
    }

    /// Meets a fingerprint; false if it is not stored, or has been met.
    pub(in crate::archive) fn meet(&mut self, fingerprint: u64) -> bool {
        let place = self.stored.keys.binary_search(&self.stored.cut(fingerprint));
        let met = place.ok().and_then(|place| self.met.get_mut(place));
        met.is_some_and(|met| !std::mem::replace(met, true))
    }

    /// The number of those that have not been met.
    pub(in crate::archive) fn left(&self) -> usize {
        self.met.iter().filter(|met| !**met).count()
    }
}

/// The fingerprints of an archive that does not change.
#[derive(Debug)]
pub struct FingerprintLookup {
    archive: Archive,
    runs: Vec<Run>,
    mask: u64,
}

impl FingerprintLookup {
    /// Opens an archive to look up fingerprints.
    ///
    /// # Errors
    /// It cannot be opened, or its keys are damaged.
    pub fn open(path: &Path) -> Result<FingerprintLookup, ArchiveError> {
        let archive = Archive::open(path)?;
        let (runs, mask) = archive.db.attempt(|db| {
            let _snapshot = snapshot(db)?;
            let runs = runs::load(db)?.into_iter().filter(|run| run.kind.set() == KeyKind::Fingerprints);
            Ok((runs.map(|run| run.with_firsts(db)).collect::<Result<_>>()?, mask(db)?))
        })?;
        Ok(FingerprintLookup { archive, runs, mask })
    }

    /// The number of fingerprints.
    pub fn count(&self) -> u64 {
        self.runs.iter().map(|run| run.keys).sum()
    }

    /// Whether fingerprints are stored in short form.
    pub fn are_short(&self) -> bool {
        self.mask == SHORT
    }

    /// The part of a fingerprint that is stored.
    pub fn cut(&self, fingerprint: u64) -> u64 {
        fingerprint & self.mask
    }

    /// Whether the archive has a game with this fingerprint.
    ///
    /// # Errors
    /// The keys are damaged.
    pub fn has(&self, fingerprint: u64) -> Result<bool, ArchiveError> {
        self.has_between(self.cut(fingerprint), self.cut(fingerprint))
    }

    /// Whether the archive has a game with the first bits of a fingerprint that another archive has cut.
    ///
    /// # Errors
    /// The keys are damaged.
    pub fn has_short(&self, fingerprint: u64) -> Result<bool, ArchiveError> {
        self.has_between(fingerprint & SHORT, fingerprint | !SHORT)
    }

    fn has_between(&self, first: u64, last: u64) -> Result<bool, ArchiveError> {
        self.archive.db.attempt(|db| {
            for run in &self.runs {
                if !run.between(db, first, last)?.is_empty() {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{schema, write::names::Registers};

    /// An archive without games that has these fingerprints.
    fn archive(fingerprints: &[u64]) -> (Connection, Registers) {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(schema::tables()).unwrap();
        let keys = super::super::Keys::open(&db).unwrap();
        let mut registers = Registers { keys, ..Registers::default() };
        fingerprints.iter().for_each(|key| registers.keys.add_fingerprint(&db, *key).unwrap());
        (db, registers)
    }

    #[test]
    fn the_first_56_bits_of_a_fingerprint_decide_in_a_packed_archive() {
        let (db, mut registers) = archive(&[0x1234, 0x5678]);
        registers.keys.flush(&db).unwrap();
        // One that is not written yet, and one that is known in this batch only.
        registers.keys.add_fingerprint(&db, 0xabcd).unwrap();
        game_table::pack_none(&db, &mut registers).unwrap();
        registers.keys.add_fingerprint(&db, 0xef01).unwrap();
        for is_written in [false, true] {
            for (fingerprint, is_there) in [
                (0x1234, true),
                (0x12ff, true),
                (0xabcd, true),
                (0xab00, true),
                (0xef01, true),
                (0x1334, false),
            ] {
                let found = registers.keys.has_fingerprint(&db, fingerprint).unwrap();
                assert_eq!(found, is_there, "{fingerprint:x}, {is_written}");
            }
            registers.keys.flush(&db).unwrap();
        }
        let stored = StoredFingerprints::read(&db).unwrap();
        assert_eq!((stored.keys(), stored.are_short()), (&[0x1200, 0x5600, 0xab00, 0xef00][..], true));
        assert!(has_fingerprint(&db, 0x5678).unwrap() && !has_fingerprint(&db, 0x5578).unwrap());
        assert_eq!(fingerprint_count(&db).unwrap(), 4);
    }

    #[test]
    fn fingerprints_that_differ_in_the_last_bits_only_stay_long() {
        let (db, mut registers) = archive(&[0x1234, 0x1235]);
        registers.keys.flush(&db).unwrap();
        game_table::pack_none(&db, &mut registers).unwrap();
        registers.keys.add_fingerprint(&db, 0x1236).unwrap();
        registers.keys.flush(&db).unwrap();
        let stored = StoredFingerprints::read(&db).unwrap();
        assert_eq!((stored.keys(), stored.are_short()), (&[0x1234, 0x1235, 0x1236][..], false));
        let mut list = FingerprintList::read(&db).unwrap();
        assert!(list.meet(0x1235) && !list.meet(0x1235) && !list.meet(0x1237));
        assert_eq!(list.left(), 2);
    }
}
