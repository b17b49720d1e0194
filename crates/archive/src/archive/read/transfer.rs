//! Games copied from one archive to another, only if they are valid: the game decodes, has its number of plies and a
//! fingerprint that was stored with it, and its original text is unchanged. So damage is never copied silently.

use std::{
    fmt::Display,
    sync::{Mutex, PoisonError},
};

use rusqlite::Connection;

use crate::archive::{
    Archive, ArchiveError, Maintenance, Result,
    changes::{former, removed},
    checksum::{self, Checked, Owner, SideTable},
    keys::{self, StoredFingerprints},
    side_rows,
    snapshot::snapshot,
};
use plybook_chess::{
    chess::{Move, Variant, VariantPosition},
    counts::PLIES,
};
use plybook_record::{GameId, Record, Sides, StoredGame, TagLayoutCache};

/// Most fingerprints held in memory.
const MOST_HELD: u64 = 4_000_000;

/// The error for a game that decodes to a different game.
pub(in crate::archive) const CHANGED: &str =
    "its fingerprint differs from the stored one: its moves or tags have changed";

/// A game as stored in its archive.
#[derive(Debug)]
pub struct Transfer {
    game: StoredGame,
    /// What is stored next to it, without its annotations.
    sides: Sides,
}

/// The fingerprints that an archive had at one time.
#[derive(Debug)]
pub struct GameProof {
    /// The last game.
    pub last: GameId,
    /// The number of fingerprints, which should equal the number of games.
    pub count: u64,
    fingerprints: Fingerprints,
}

#[derive(Debug)]
enum Fingerprints {
    Held(StoredFingerprints),
    /// Too many for memory: looked up one by one.
    Stored(Box<Mutex<Archive>>),
}

impl Transfer {
    /// The id in its archive.
    pub fn id(&self) -> GameId {
        self.game.id
    }

    /// Estimates the bytes in memory.
    pub fn memory(&self) -> usize {
        let StoredGame { moves, marks, tags, .. } = &self.game;
        moves.len() + marks.len() + tags.memory() + self.sides.memory()
    }

    /// Calls `each` for all data that defines the game.
    pub fn for_each_part(&self, mut each: impl FnMut(&[u8])) {
        let StoredGame { id, moves, marks, tags, .. } = &self.game;
        each(&id.to_le_bytes());
        let original = self.sides.get(Sides::ORIGINAL);
        let others = self.sides.iter().filter(|(table, _)| *table != Sides::ORIGINAL).map(|(_, value)| value);
        for part in [moves, marks, original].into_iter().chain(others) {
            each(&part.len().to_le_bytes());
            each(part);
        }
        for (name, value) in tags.iter() {
            each(name.as_bytes());
            each(b"\0");
            each(value.as_bytes());
            each(b"\0");
        }
    }
}

impl Maintenance<'_> {
    /// The fingerprints of the current games.
    ///
    /// # Errors
    /// The archive is damaged in a way that affects all games.
    pub fn proof(self) -> Result<GameProof> {
        self.proof_holding(MOST_HELD)
    }

    /// The same, with at most this many fingerprints in memory.
    fn proof_holding(self, most: u64) -> Result<GameProof> {
        let (last, count, held) = self.archive.db.attempt(|db| {
            let _snapshot = snapshot(db)?;
            let last = removed::last_id(db)?;
            let count = keys::fingerprint_count(db)?;
            let held = (count <= most).then(|| StoredFingerprints::read(db)).transpose()?;
            let former = former::count(db)?;
            Ok((last, count.saturating_sub(former), held))
        })?;
        let fingerprints = match held {
            Some(held) => Fingerprints::Held(held),
            None => self.looked_up()?,
        };
        Ok(GameProof { last, count, fingerprints })
    }

    /// Fingerprints to be looked up on a connection of their own, which sees the same state.
    fn looked_up(self) -> Result<Fingerprints> {
        let mut other = Archive::open(self.archive.path())?;
        // Without a log, a transaction would make writers wait.
        if self.archive.has_log() {
            other = other.at_this_moment()?;
            let digest = |archive: &Archive| archive.db.attempt(|db| checksum::digest(db));
            if digest(self.archive)? != digest(&other)? {
                return self.fingerprints().map(Fingerprints::Held);
            }
        }
        Ok(Fingerprints::Stored(Box::new(Mutex::new(other))))
    }

    /// Calls `each` for every readable game after an id, and for the error of every other one, until it returns false.
    pub fn transfers(self, after: GameId, mut each: impl FnMut(Result<Transfer>) -> bool) -> Result<()> {
        let db = &self.archive.db;
        let mut readers = db.attempt(|db| SideReader::all(db, after))?;
        for game in self.archive.maintenance().scan_after(after).flatten() {
            let transfer = game.and_then(|game| {
                let mut sides = Sides::default();
                for reader in &mut readers {
                    sides = sides.with(reader.table as u8, reader.take(db, game.id)?);
                }
                Ok(Transfer { game, sides })
            });
            if !each(transfer) {
                break;
            }
        }
        Ok(())
    }
}

/// Reads the values of a side table along with the games, without a query for games that have none, which are most.
struct SideReader {
    table: Checked,
    side: &'static SideTable,
    has_checksums: bool,
    /// The next game that has a value, or whose rows should be checked.
    next: Option<GameId>,
}

impl SideReader {
    /// Those of an archive, from a game on.
    fn all(db: &Connection, after: GameId) -> rusqlite::Result<Vec<SideReader>> {
        let has_checksums = checksum::has_checksums(db)?;
        let sides = Checked::sides(db)?.into_iter().filter(|(_, side)| side.owner == Owner::Game);
        let begun = sides.map(|(table, side)| {
            let mut reader = SideReader { table, side, has_checksums, next: None };
            reader.find_after(db, after).map(|()| reader)
        });
        begun.collect()
    }

    fn find_after(&mut self, db: &Connection, id: GameId) -> rusqlite::Result<()> {
        let sql = format!("SELECT min(rowid) FROM {} WHERE rowid > ?1", self.table.name());
        let row: Option<GameId> = db.prepare_cached(&sql)?.query_row([id], |row| row.get(0))?;
        let bucket = match self.has_checksums {
            true => checksum::next(db, self.table, self.table.bucket(id).saturating_add(1))?,
            false => None,
        };
        self.next = row.into_iter().chain(bucket.map(|bucket| self.table.ids(bucket).start)).min();
        Ok(())
    }

    /// The value of a game, if it has one. Games must be requested in ascending order.
    fn take(&mut self, db: &Connection, id: GameId) -> Result<Option<Vec<u8>>> {
        if self.next.is_none_or(|next| id < next) {
            return Ok(None);
        }
        let noun = self.side.noun;
        let damaged = |what: &dyn Display| ArchiveError::damaged(id, format!("the {noun}: {what}"));
        let mut read = || -> rusqlite::Result<_> {
            self.find_after(db, id)?;
            let bucket = self.has_checksums.then(|| self.table.bucket(id));
            let changed =
                bucket.map(|bucket| checksum::change(db, self.table, bucket)).transpose()?.flatten();
            Ok((changed, side_rows::value(db, self.table, id)?))
        };
        match read() {
            Ok((None, value)) => Ok(value),
            Ok((Some(changed), _)) => Err(damaged(&changed.what)),
            Err(error) => Err(damaged(&error)),
        }
    }
}

impl GameProof {
    fn has(&self, hash: u64) -> Result<bool> {
        match &self.fingerprints {
            Fingerprints::Held(held) => Ok(held.has(hash)),
            Fingerprints::Stored(archive) => {
                let archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                archive.db.attempt(|db| keys::has_fingerprint(db, hash))
            }
        }
    }

    /// Prepares a game for another archive. Its moves are copied unchanged.
    ///
    /// # Errors
    /// What is wrong with the game.
    pub fn record(&self, transfer: Transfer, layouts: &mut TagLayoutCache) -> Result<Record, String> {
        let Transfer { game, sides } = transfer;
        for (table, value) in sides.iter() {
            Checked::of_number(table.into())
                .and_then(Checked::side)
                .map_or(Ok(Vec::new()), |side| side.read(value))?;
        }
        let plies = game.plies;
        let record = Record::of_stored(game, sides, layouts)?;
        if record.plies != plies {
            return Err(other_plies(record.plies, plies));
        }
        if !self.has(record.fingerprint).map_err(|error| error.to_string())? {
            return Err(CHANGED.to_owned());
        }
        Ok(record)
    }
}

/// The error for a game with a wrong number of plies.
fn other_plies(plies: usize, noted: usize) -> String {
    format!("it has {plies} {}, but {noted} are stored", PLIES.of(plies as u64))
}

/// What the games of an export are checked against.
#[derive(Debug)]
pub struct GameCheck {
    /// The fingerprints of each file, with the number of ids of the files before it.
    files: Vec<(GameId, GameProof)>,
    /// Faults that do not concern a single game.
    pub faults: u64,
}

impl GameCheck {
    /// The last game when the fingerprints were read.
    pub fn last(&self) -> GameId {
        self.files.last().map_or(0, |(before, proof)| before + proof.last)
    }

    /// Checks that a game is one that was stored.
    ///
    /// # Errors
    /// It is not, or it cannot be decoded.
    pub fn check(&self, game: &StoredGame) -> Result<()> {
        let hash = fingerprint(game).map_err(|what| ArchiveError::damaged(game.id, what))?;
        let behind = self.files.partition_point(|(before, _)| *before < game.id);
        let file = behind.checked_sub(1).and_then(|place| self.files.get(place));
        match file {
            Some((_, proof)) if proof.has(hash)? => Ok(()),
            _ => Err(ArchiveError::damaged(game.id, CHANGED)),
        }
    }
}

/// The fingerprint of a decoded game, if its number of plies is correct.
pub(in crate::archive) fn fingerprint(game: &StoredGame) -> Result<u64, String> {
    fingerprint_with(game, |_, _, _| ())
}

/// The same. `each` receives a game of chess: its variant, its start position and its moves.
pub(in crate::archive) fn fingerprint_with(
    game: &StoredGame,
    each: impl FnOnce(Variant, VariantPosition, &[Move]),
) -> Result<u64, String> {
    let (hash, plies) = game.replay_fingerprint_with(each).map_err(|error| error.to_string())?;
    if plies == game.plies { Ok(hash) } else { Err(other_plies(plies, game.plies)) }
}

impl Archive {
    /// Reads a game by its id, and checks it.
    ///
    /// # Errors
    /// There is no such game, or it is damaged.
    pub fn checked_game(&self, id: GameId) -> Result<StoredGame> {
        if let Some(game) = self.files().ask_part_with(id, Archive::checked_game) {
            return game;
        }
        let game = self.game(id)?;
        let hash = fingerprint(&game).map_err(|what| ArchiveError::damaged(id, what))?;
        let has = self.db.attempt(|db| keys::has_fingerprint(db, hash))?;
        if has { Ok(game) } else { Err(ArchiveError::damaged(id, CHANGED)) }
    }

    /// Reads what games are checked against. First compares all rows with their checksums, as `verify` does: a damaged
    /// byte can also make a game unreadable, or exclude it from a filter. Changes are passed to `fault`.
    ///
    /// # Errors
    /// The fingerprints cannot be read.
    pub fn game_check(&self, mut fault: impl FnMut(ArchiveError)) -> Result<GameCheck> {
        let (mut files, mut faults) = (Vec::new(), 0);
        for file in self.files().all() {
            let (archive, before) = (file.lock(), file.before());
            archive.check_rows(&mut |game, what| {
                faults += 1;
                fault(match game {
                    Some(id) => ArchiveError::damaged(before + id, what),
                    None => ArchiveError::Changed(archive.path().to_owned(), what),
                });
            });
            files.push((
                before,
                archive.maintenance().proof_holding(MOST_HELD / self.files().all().count() as u64)?,
            ));
        }
        Ok(GameCheck { files, faults })
    }
}
