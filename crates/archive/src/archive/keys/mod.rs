//! Sorted sets of 64-bit keys: the archive's own indexes. They take a third of the space of SQLite indexes, and adding
//! keys in random order does not touch one page per key.
//!
//! New keys are collected in memory until the batch is committed, and then written as one sorted run. When a set has
//! [`MERGE_FANOUT`] runs of about equal length, they are merged into one. A run is a row of `key_run` and consecutive
//! rows of `key_block`.

mod block;
mod bloom;
pub(super) mod check;
mod fingerprints;
mod runs;

use foldhash::HashSet;
use rusqlite::{Connection, Result};

use super::snapshot::snapshot;
use bloom::Bloom;
pub(super) use fingerprints::{FingerprintList, fingerprint_count, has_fingerprint, shorten};
pub use fingerprints::{FingerprintLookup, StoredFingerprints};
use runs::{Cursor, Run};

/// Number of runs of similar size that are merged into one.
// A key is rewritten once per level, so a larger fan-out rewrites less but leaves more runs to search. Sixteen
// changed the CPU time of an import by less than its variation (docs/growth.md).
const MERGE_FANOUT: usize = 8;

/// Most keys that are cached in memory for single lookups; for larger sets, blocks are read.
// 32 MiB. Importing a source again finds a duplicate in every game, and single lookups would then take longer than
// reading the set.
const CACHED: u64 = 4_000_000;

/// The set is read into memory after this number of lookups of possibly existing keys in one batch, plus one lookup for
/// every group of keys that takes as long to read as a lookup.
const LOOKUPS_BEFORE_CACHING: u64 = 256;
const KEYS_A_LOOKUP: u64 = 4_096;

/// What the keys of a set identify. The number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Why not SQLite indexes: fingerprints, players and names are random, so each insertion would dirty a page of its own
// in the log. Sorted runs are written sequentially, and differences of neighbours compress to a third.
pub(super) enum KeyKind {
    /// Fingerprints of games.
    Fingerprints = 1,
    /// The games of a player: player << 28 | game >> 4.
    Players = 2,
    /// Names, one set per table: hash of the name << 32 | id.
    PlayerNames = 3,
    EventNames = 4,
    SiteNames = 5,
    Values = 6,
    /// The identities of games: hash << 32 | game.
    Identities = 7,
    /// The first 56 bits of the fingerprints of games, in archives whose games are packed: see [`fingerprints`].
    ShortFingerprints = 8,
}

/// The number of sets.
const SETS: usize = KeyKind::ALL.len();

/// What a run can have.
const STORED: [KeyKind; SETS + 1] = {
    let mut stored = [KeyKind::ShortFingerprints; SETS + 1];
    stored.split_at_mut(SETS).0.copy_from_slice(&KeyKind::ALL);
    stored
};

/// The tables of the runs of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyTables {
    run: &'static str,
    block: &'static str,
}

/// The tables of every archive.
const REQUIRED: KeyTables = KeyTables { run: "key_run", block: "key_block" };

/// Tables that earlier releases ignore, and keep.
const OF_IDENTITIES: KeyTables = KeyTables { run: "plybook_identity_run", block: "plybook_identity_block" };

impl KeyKind {
    /// One for each set.
    pub(super) const ALL: [KeyKind; 7] = [
        KeyKind::Fingerprints,
        KeyKind::Players,
        KeyKind::PlayerNames,
        KeyKind::EventNames,
        KeyKind::SiteNames,
        KeyKind::Values,
        KeyKind::Identities,
    ];

    /// The set that its runs are part of.
    fn set(self) -> KeyKind {
        if self == KeyKind::ShortFingerprints { KeyKind::Fingerprints } else { self }
    }

    /// How the runs of a set are stored in an archive.
    fn stored_in(self, db: &Connection) -> Result<KeyKind> {
        let is_short = self.set() == KeyKind::Fingerprints && fingerprints::mask(db)? == fingerprints::SHORT;
        Ok(if is_short { KeyKind::ShortFingerprints } else { self.set() })
    }

    fn tables(self) -> KeyTables {
        if self == KeyKind::Identities { OF_IDENTITIES } else { REQUIRED }
    }

    /// Bits at the end of its keys that are stored by themselves, because their differences are not small.
    fn low_bits(self) -> u32 {
        match self {
            KeyKind::Identities => 32,
            // All of these are zero, which takes no space.
            KeyKind::ShortFingerprints => 8,
            _ => 0,
        }
    }

    /// The part of a key that is in the Bloom filter: the key itself, or the hash of a name; `None` for sets without a
    /// filter.
    fn bloom_key(self, key: u64) -> Option<u64> {
        match self {
            KeyKind::Fingerprints | KeyKind::ShortFingerprints => Some(key),
            KeyKind::Players => None,
            _ => Some((key >> 32) << 3 | self as u64),
        }
    }
}

/// The keys of an archive that is being written.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Unwritten keys, by set.
    pending: [Vec<u64>; SETS],
    /// The fingerprints among them, unless they were added all together.
    fresh: HashSet<u64>,
    runs: Vec<Run>,
    /// `None` if every key is looked up.
    bloom: Option<Bloom>,
    /// All stored fingerprints, loaded after many lookups.
    cached: Option<StoredFingerprints>,
    /// The bits of fingerprints that the archive stores.
    mask: u64,
    lookups: u32,
}

impl Keys {
    /// Loads the runs of stored keys.
    pub(super) fn open(db: &Connection) -> Result<Keys> {
        let mut keys = Keys::without_filter(db)?;
        keys.refill(db).map(|()| keys)
    }

    /// The same without a Bloom filter. Reads a row per run instead of all keys, but each lookup reads blocks.
    pub(super) fn without_filter(db: &Connection) -> Result<Keys> {
        Ok(Keys { runs: runs::load(db)?, mask: fingerprints::mask(db)?, ..Keys::default() })
    }

    /// Rebuilds the Bloom filter from all keys, with space for three times as many more.
    fn refill(&mut self, db: &Connection) -> Result<()> {
        let asked = KeyKind::ALL.into_iter().filter(|kind| kind.bloom_key(0).is_some());
        let stored = |kind| self.runs_of(kind).map(|run| run.keys).sum::<u64>();
        let pending = |kind: KeyKind| self.pending.get(kind as usize - 1).map_or(0, Vec::len) as u64;
        let keys: u64 = asked.map(|kind| stored(kind) + pending(kind)).sum();
        // Drop the old filter first, to avoid holding both in memory.
        self.bloom = None;
        let mut bloom = Bloom::with_room(4 * keys);
        for kind in KeyKind::ALL {
            let mut add = |key| kind.bloom_key(key).into_iter().for_each(|probe| bloom.insert(probe));
            for run in self.runs_of(kind) {
                Cursor::new(db, run).try_for_each(|key| key.map(&mut add))?;
            }
            self.pending[kind as usize - 1].iter().copied().for_each(add);
        }
        self.bloom = Some(bloom);
        Ok(())
    }

    /// Adds a new key.
    pub(super) fn insert(&mut self, db: &Connection, kind: KeyKind, key: u64) -> Result<()> {
        let key = if kind == KeyKind::Fingerprints { key & self.mask } else { key };
        self.pending[kind as usize - 1].push(key);
        if let Some(probe) = kind.bloom_key(key) {
            if self.bloom.as_ref().is_some_and(Bloom::is_full) {
                self.refill(db)?;
            }
            self.bloom.iter_mut().for_each(|bloom| bloom.insert(probe));
        }
        Ok(())
    }

    /// Whether what the filter contains of a key may exist in the archive or the current batch.
    fn may_have(&self, probe: u64) -> bool {
        self.bloom.as_ref().is_none_or(|bloom| bloom.may_have(probe))
    }

    /// The same for a hash of an identity.
    pub(super) fn may_have_identity(&self, identity: u32) -> bool {
        KeyKind::Identities.bloom_key(u64::from(identity) << 32).is_some_and(|probe| self.may_have(probe))
    }

    /// The same for a fingerprint.
    pub(super) fn may_have_fingerprint(&self, fingerprint: u64) -> bool {
        self.may_have(fingerprint & self.mask)
    }

    /// Adds the fingerprint of a game. Unlike with [`insert`](Keys::insert), it is found before it is written.
    pub(super) fn add_fingerprint(&mut self, db: &Connection, fingerprint: u64) -> Result<()> {
        self.fresh.insert(fingerprint & self.mask);
        self.insert(db, KeyKind::Fingerprints, fingerprint)
    }

    /// Whether a fingerprint is stored, or was added since.
    pub(super) fn has_fingerprint(&mut self, db: &Connection, fingerprint: u64) -> Result<bool> {
        let key = fingerprint & self.mask;
        // Cheap tests first: the filter, which includes fingerprints of this batch, rules out nearly all new games
        // without a lookup in the set or the archive.
        if !self.may_have(key) {
            return Ok(false);
        }
        if self.fresh.contains(&key) {
            return Ok(true);
        }
        self.lookups += 1;
        let stored: u64 = self.runs_of(KeyKind::Fingerprints).map(|run| run.keys).sum();
        let worth_it = u64::from(self.lookups) > LOOKUPS_BEFORE_CACHING + stored / KEYS_A_LOOKUP;
        if self.cached.is_none() && worth_it && stored <= CACHED {
            self.cached = Some(StoredFingerprints::read(db)?);
        }
        if let Some(cached) = &self.cached {
            return Ok(cached.has(key));
        }
        have(self.runs_of(KeyKind::Fingerprints), db, key)
    }

    /// Whether fingerprints are stored in short form.
    pub(super) fn are_short(&self) -> bool {
        self.mask == fingerprints::SHORT
    }

    /// Cuts all fingerprints, after those that are stored have been shortened.
    pub(super) fn shorten(&mut self, db: &Connection) -> Result<()> {
        (self.runs, self.mask, self.cached) = (runs::load(db)?, fingerprints::mask(db)?, None);
        self.fresh = self.fresh.iter().map(|key| key & self.mask).collect();
        let added = &mut self.pending[KeyKind::Fingerprints as usize - 1];
        added.iter_mut().for_each(|key| *key &= self.mask);
        if self.bloom.is_some() { self.refill(db) } else { Ok(()) }
    }

    /// Some games with the hash of an identity, in order, of those stored or added since.
    pub(super) fn games_with(&self, db: &Connection, identity: u32, most: usize) -> Result<Vec<u32>> {
        let mut games = Vec::new();
        self.find_id(db, KeyKind::Identities, identity, |game| {
            games.push(game);
            Ok(games.len() >= most)
        })?;
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    /// The first id with a hash for which `is_it` returns true.
    pub(super) fn find_id(
        &self,
        db: &Connection,
        kind: KeyKind,
        hash: u32,
        mut is_it: impl FnMut(u32) -> Result<bool>,
    ) -> Result<Option<u32>> {
        let first = u64::from(hash) << 32;
        if !kind.bloom_key(first).is_some_and(|probe| self.may_have(probe)) {
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
        self.runs.iter().filter(move |run| run.kind.set() == kind)
    }

    /// Writes pending keys; part of the current transaction.
    pub(super) fn flush(&mut self, db: &Connection) -> Result<()> {
        // From here on they are found in the archive.
        self.fresh.clear();
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

    /// Merges runs of similar length while there are enough of them.
    fn compact_tier(&mut self, db: &Connection, kind: KeyKind) -> Result<()> {
        let size = |run: &Run| run.keys.max(1).ilog(MERGE_FANOUT as u64);
        while let Some(last) = self.runs_of(kind).map(size).min() {
            let equal = |run: &Run| run.kind.set() == kind && size(run) == last;
            if self.runs.iter().filter(|run| equal(run)).count() < MERGE_FANOUT {
                break;
            }
            self.merge(db, equal)?;
        }
        Ok(())
    }

    fn merge(&mut self, db: &Connection, chosen: impl Fn(&Run) -> bool) -> Result<()> {
        let (merging, kept) = self.runs.iter().cloned().partition::<Vec<_>, _>(chosen);
        self.runs = kept;
        self.runs.push(runs::merge(db, &merging)?);
        Ok(())
    }

    /// Called at the end of an import that added many keys: merges each set into one compact run.
    pub(super) fn finish(&mut self, db: &Connection) -> Result<()> {
        self.flush(db)?;
        for kind in KeyKind::ALL {
            let lengths: Vec<u64> = self.runs_of(kind).map(|run| run.keys).collect();
            let (total, longest) = (lengths.iter().sum::<u64>(), lengths.iter().max().copied().unwrap_or(0));
            if lengths.len() > 1 && total - longest >= longest / 4 {
                self.merge(db, |run| run.kind.set() == kind)?;
            }
        }
        Ok(())
    }
}

/// Whether one of some runs has a key.
fn have<'a>(runs: impl IntoIterator<Item = &'a Run>, db: &Connection, key: u64) -> Result<bool> {
    for run in runs {
        if !run.between(db, key, key)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// All keys of a set, in order and without duplicates: a change that is undone and made again may add a key twice.
pub(super) fn stored_keys(db: &Connection, kind: KeyKind) -> Result<Vec<u64>> {
    stored_between(db, kind, 0, u64::MAX)
}

/// The stored keys of a set in an inclusive range, in order and without duplicates.
pub(super) fn stored_between(db: &Connection, kind: KeyKind, from: u64, to: u64) -> Result<Vec<u64>> {
    let _snapshot = snapshot(db)?;
    let mut keys = Vec::new();
    for run in runs::load(db)?.iter().filter(|run| run.kind.set() == kind) {
        keys.extend(run.between(db, from, to)?);
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}
