//! Sorted sets of 64-bit keys: the archive's own indexes. They take a third of the bytes of SQLite's, and
//! adding a key at random costs no page of its own.
//!
//! New keys wait in memory until the batch is committed; then they are written as one sorted run. When
//! [`MERGE_FANOUT`] runs of a set are about equally long, they become one. A run is a row of `key_run` and consecutive
//! rows of `key_block`.

mod block;
mod bloom;
pub(super) mod check;
mod lookup;
mod runs;

use rusqlite::{Connection, Transaction};

use bloom::Bloom;
pub use lookup::FingerprintLookup;
use runs::Run;

/// Runs of a size that are merged into one.
const MERGE_FANOUT: usize = 8;

/// Most keys that are cached in memory to look up one by one; of a longer set, blocks are read.
const CACHED: u64 = 4_000_000;

/// When the set is read into memory: after this number of lookups of keys that may be there, in one batch, and one
/// more for every group of keys that takes as long to read as a lookup.
const LOOKUPS_BEFORE_CACHING: u64 = 256;
const KEYS_A_LOOKUP: u64 = 4_096;

/// What keys stand for. The number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// Fingerprints of games.
    Fingerprints = 1,
    /// Which games a player has: player << 28 | game >> 4.
    Players = 2,
    /// Names, one set a table: hash of the name << 32 | id.
    PlayerNames = 3,
    EventNames = 4,
    SiteNames = 5,
    Values = 6,
}

impl KeyKind {
    pub(super) const ALL: [KeyKind; 6] = [
        KeyKind::Fingerprints,
        KeyKind::Players,
        KeyKind::PlayerNames,
        KeyKind::EventNames,
        KeyKind::SiteNames,
        KeyKind::Values,
    ];

    /// What the quick filter knows of a key: all of it, or of a name its hash; nothing where it is never
    /// asked.
    fn bloom_key(self, key: u64) -> Option<u64> {
        match self {
            KeyKind::Fingerprints => Some(key),
            KeyKind::Players => None,
            _ => Some((key >> 32) << 3 | self as u64),
        }
    }
}

/// The keys of an archive that is being written.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Keys not yet written, by set.
    pending: [Vec<u64>; KeyKind::ALL.len()],
    runs: Vec<Run>,
    bloom: Bloom,
    /// All stored fingerprints, once they are asked for often.
    cached: Option<Vec<u64>>,
    lookups: u32,
}

impl Keys {
    /// Takes stock of the keys that are stored.
    pub(super) fn open(db: &Connection) -> rusqlite::Result<Keys> {
        let mut keys = Keys { runs: runs::load(db)?, ..Keys::default() };
        keys.refill(db)?;
        Ok(keys)
    }

    /// Rebuilds the quick filter from all keys, with room for three times as many more.
    fn refill(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let asked = KeyKind::ALL.into_iter().filter(|kind| kind.bloom_key(0).is_some());
        let stored = |kind| self.runs_of(kind).map(|run| run.keys).sum::<u64>();
        let pending = |kind: KeyKind| self.pending.get(kind as usize - 1).map_or(0, Vec::len) as u64;
        let keys: u64 = asked.map(|kind| stored(kind) + pending(kind)).sum();
        // The old filter goes first: both would be much at once.
        self.bloom = Bloom::default();
        self.bloom = Bloom::with_room(4 * keys);
        for kind in KeyKind::ALL {
            for run in self.runs.iter().filter(|run| run.kind == kind) {
                let bloom = &mut self.bloom;
                run.for_each(db, |key| {
                    kind.bloom_key(key).into_iter().for_each(|probe| bloom.insert(probe))
                })?;
            }
            for &key in &self.pending[kind as usize - 1] {
                kind.bloom_key(key).into_iter().for_each(|probe| self.bloom.insert(probe));
            }
        }
        Ok(())
    }

    /// Adds a key that is not there.
    pub(super) fn insert(&mut self, db: &Connection, kind: KeyKind, key: u64) -> rusqlite::Result<()> {
        self.pending[kind as usize - 1].push(key);
        if let Some(probe) = kind.bloom_key(key) {
            if self.bloom.is_full() {
                self.refill(db)?;
            }
            self.bloom.insert(probe);
        }
        Ok(())
    }

    /// Whether a fingerprint may be there, or have been added to the current batch.
    pub(super) fn may_have(&self, fingerprint: u64) -> bool {
        self.bloom.may_have(fingerprint)
    }

    /// Whether a fingerprint is there. Those of the current batch are not known here.
    pub(super) fn has_fingerprint(&mut self, db: &Connection, key: u64) -> rusqlite::Result<bool> {
        if !self.bloom.may_have(key) {
            return Ok(false);
        }
        self.lookups += 1;
        let stored: u64 = self.runs_of(KeyKind::Fingerprints).map(|run| run.keys).sum();
        let worth_it = u64::from(self.lookups) > LOOKUPS_BEFORE_CACHING + stored / KEYS_A_LOOKUP;
        if self.cached.is_none() && worth_it && stored <= CACHED {
            self.cached = Some(stored_keys(db, KeyKind::Fingerprints)?);
        }
        if let Some(cached) = &self.cached {
            return Ok(cached.binary_search(&key).is_ok());
        }
        for run in self.runs_of(KeyKind::Fingerprints) {
            if !run.between(db, key, key)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first id under a hash of a name that is the one.
    pub(super) fn find_id(
        &self,
        db: &Connection,
        kind: KeyKind,
        hash: u32,
        mut is_it: impl FnMut(u32) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<Option<u32>> {
        let first = u64::from(hash) << 32;
        if !kind.bloom_key(first).is_some_and(|probe| self.bloom.may_have(probe)) {
            return Ok(None);
        }
        let last = first | u64::from(u32::MAX);
        let pending = &self.pending[kind as usize - 1];
        let pending = pending.iter().copied().filter(|key| (first..=last).contains(key)).collect();
        let stored = self.runs_of(kind).map(|run| run.between(db, first, last));
        for keys in std::iter::once(Ok(pending)).chain(stored) {
            for key in keys? {
                // The low half is the id.
                let id = (key & u64::from(u32::MAX)) as u32;
                if is_it(id)? {
                    return Ok(Some(id));
                }
            }
        }
        Ok(None)
    }

    fn runs_of(&self, kind: KeyKind) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.kind == kind)
    }

    /// Writes what is pending; part of the current transaction.
    pub(super) fn flush(&mut self, db: &Connection) -> rusqlite::Result<()> {
        for kind in KeyKind::ALL {
            let mut keys = std::mem::take(&mut self.pending[kind as usize - 1]);
            keys.sort_unstable();
            keys.dedup();
            if kind == KeyKind::Fingerprints && !keys.is_empty() {
                (self.cached, self.lookups) = (None, 0);
            }
            if !keys.is_empty() {
                self.runs.push(runs::write(db, kind, keys.into_iter().map(Ok))?);
                self.compact_tier(db, kind)?;
            }
        }
        Ok(())
    }

    /// Merges runs of about equal length while there are enough of them.
    fn compact_tier(&mut self, db: &Connection, kind: KeyKind) -> rusqlite::Result<()> {
        let size = |run: &Run| run.keys.max(1).ilog(MERGE_FANOUT as u64);
        while let Some(last) = self.runs_of(kind).map(size).min() {
            let equal = |run: &Run| run.kind == kind && size(run) == last;
            if self.runs.iter().filter(|run| equal(run)).count() < MERGE_FANOUT {
                break;
            }
            self.merge(db, equal)?;
        }
        Ok(())
    }

    fn merge(&mut self, db: &Connection, chosen: impl Fn(&Run) -> bool) -> rusqlite::Result<()> {
        let (merging, kept) = self.runs.iter().cloned().partition::<Vec<_>, _>(chosen);
        self.runs = kept;
        self.runs.push(runs::merge(db, &merging)?);
        Ok(())
    }

    /// Ends an import that has added much: one run a set, as dense as can be.
    pub(super) fn finish(&mut self, db: &Connection) -> rusqlite::Result<()> {
        self.flush(db)?;
        for kind in KeyKind::ALL {
            let lengths: Vec<u64> = self.runs_of(kind).map(|run| run.keys).collect();
            let (total, longest) = (lengths.iter().sum::<u64>(), lengths.iter().max().copied().unwrap_or(0));
            if lengths.len() > 1 && total - longest >= longest / 4 {
                self.merge(db, |run| run.kind == kind)?;
            }
        }
        Ok(())
    }
}

/// Keeps others from changing the runs while they are read, unless a transaction does so already.
fn snapshot(db: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    db.is_autocommit().then(|| db.unchecked_transaction()).transpose()
}

/// All keys of a set, in order.
pub(super) fn stored_keys(db: &Connection, kind: KeyKind) -> rusqlite::Result<Vec<u64>> {
    let _snapshot = snapshot(db)?;
    let mut keys = Vec::new();
    for run in runs::load(db)?.iter().filter(|run| run.kind == kind) {
        run.for_each(db, |key| keys.push(key))?;
    }
    keys.sort_unstable();
    Ok(keys)
}

/// The stored keys of a set from one to another (inclusive), in order.
pub(super) fn stored_between(
    db: &Connection,
    kind: KeyKind,
    from: u64,
    to: u64,
) -> rusqlite::Result<Vec<u64>> {
    let _snapshot = snapshot(db)?;
    let mut keys = Vec::new();
    for run in runs::load(db)?.iter().filter(|run| run.kind == kind) {
        keys.extend(run.between(db, from, to)?);
    }
    keys.sort_unstable();
    Ok(keys)
}
