//! The identities of games, by which later versions of them are found.

use std::ops::AddAssign;

use rusqlite::{Connection, OptionalExtension, Result};

use super::writer::Writer;
use crate::archive::{
    Archive, ArchiveError, Filter,
    checksum::has_changes,
    in_batches_in_order,
    keys::{KeyKind, stored_keys},
    schema,
    snapshot::snapshot,
};
use plybook_record::{GameId, StoredGame, same_game::Identities};

/// The row of `setting` with the id of the last game whose identities are stored.
const NAME: &str = "identities";

/// Games between two runs of keys, when the identities of earlier games are stored.
const GAMES_A_RUN: GameId = 100_000;

/// How far the identities of an archive are stored.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredIdentities {
    /// The last game with them.
    covered: GameId,
    /// Whether that is the last game of the archive.
    are_complete: bool,
}

impl Writer {
    /// Reads how far the identities are stored. If later versions of games are looked for, those of all games are.
    pub(super) fn open_identities(&mut self) -> crate::archive::Result<()> {
        let covered = self.archive.db.attempt(|db| covered(db))?;
        let last = self.next_id - 1;
        self.identities = StoredIdentities { covered, are_complete: covered == last };
        if self.versions.is_none() || covered >= last {
            return Ok(());
        }
        self.identities.are_complete = true;
        let mut next = covered + 1;
        while next <= last {
            let end = last.min(next + GAMES_A_RUN - 1);
            let filter = Filter { ids: Some(next..=end), ..Filter::default() };
            let mut found = Vec::new();
            // The identities of damaged games are unknown.
            for game in self.archive.games(&filter).flatten() {
                found.extend(Identities::of(&game.tags).short().map(|identity| (identity, game.id)));
            }
            self.archive.db.attempt(|db| {
                found.iter().try_for_each(|(identity, game)| {
                    self.registers.keys.insert(db, KeyKind::Identities, key(*identity, *game))
                })?;
                self.registers.keys.flush(db)
            })?;
            next = end + 1;
        }
        Ok(())
    }

    /// Stores an identity of a game, if those of earlier games are stored.
    pub(in crate::archive) fn add_identity(&mut self, identity: u32, game: GameId) -> Result<()> {
        if self.identities.are_complete || self.identities.covered > 0 {
            self.registers.keys.insert(&self.archive.db, KeyKind::Identities, key(identity, game))?;
        }
        Ok(())
    }

    /// Notes that the identities of all games are stored; part of a batch.
    pub(super) fn note_identities(&mut self) -> Result<()> {
        let last = self.next_id - 1;
        if !self.identities.are_complete || self.identities.covered == last {
            return Ok(());
        }
        if !schema::has_table(&self.archive.db, "setting")? {
            self.archive.db.execute_batch(schema::table("setting"))?;
        }
        let sql = "INSERT INTO setting (name, value) VALUES (?1, ?2)
                   ON CONFLICT DO UPDATE SET value = excluded.value";
        self.archive.db.prepare_cached(sql)?.execute((NAME, last))?;
        self.identities.covered = last;
        Ok(())
    }
}

/// The stored identities of an archive, and how those of its games compare with them.
pub(in crate::archive) struct IdentityCheck {
    /// The last game whose identities are stored.
    covered: GameId,
    stored: Vec<u64>,
    /// Whether the runs have as many keys as their blocks.
    are_counted: bool,
    /// Whether more may be stored: a game that was changed or is damaged had other identities.
    may_be_more: bool,
}

/// The numbers of identities of some games that are stored, and that are not.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::archive) struct Compared {
    found: usize,
    missing: usize,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.found += other.found;
        self.missing += other.missing;
    }
}

impl IdentityCheck {
    /// Reads the stored identities; `None` if there are none.
    pub fn begin(archive: &Archive) -> crate::archive::Result<Option<IdentityCheck>> {
        let _snapshot = snapshot(&archive.db).map_err(|error| archive.db.error(error))?;
        archive.db.attempt(|db| {
            if !schema::has_table(db, "plybook_identity_run")? {
                return Ok(None);
            }
            let (covered, stored) = (covered(db)?, stored_keys(db, KeyKind::Identities)?);
            let (are_counted, may_be_more) = (are_counted(db)?, has_changes(db)?);
            Ok(Some(IdentityCheck { covered, stored, are_counted, may_be_more }))
        })
    }

    /// Compares the identities of a game.
    pub fn compare(&self, game: &StoredGame) -> Compared {
        let mut compared = Compared::default();
        let identities = (game.id <= self.covered).then(|| Identities::of(&game.tags));
        for identity in identities.iter().flat_map(Identities::short) {
            match self.stored.binary_search(&key(identity, game.id)) {
                Ok(_) => compared.found += 1,
                Err(_) => compared.missing += 1,
            }
        }
        compared
    }

    /// What is wrong with the stored identities, given those of all games that can be read; `None` if nothing is.
    pub fn flaw(&self, Compared { found, missing }: Compared, are_all_read: bool) -> Option<String> {
        let may_be_more = self.may_be_more || !are_all_read;
        let wrong = if may_be_more { 0 } else { self.stored.len().saturating_sub(found) };
        match self.are_counted {
            true => (missing + wrong > 0).then(|| format!("{missing} missing and {wrong} wrong keys")),
            false => Some("its runs are inconsistent".to_owned()),
        }
    }
}

impl Archive {
    /// What is wrong with the stored identities; `None` if they are those of the games.
    pub(in crate::archive) fn identity_flaw(&self) -> crate::archive::Result<Option<String>> {
        let _snapshot = snapshot(&self.db).map_err(|error| self.db.error(error))?;
        let Some(check) = IdentityCheck::begin(self)? else { return Ok(None) };
        let filter = Filter { ids: Some(1..=check.covered), ..Filter::default() };
        let (mut compared, mut are_all_read) = (Compared::default(), true);
        let games = self.games(&filter).filter_map(|game| match game {
            Ok(game) => Some(Ok::<_, ArchiveError>(game)),
            Err(_) => {
                are_all_read = false;
                None
            }
        });
        let compare =
            |games: Vec<StoredGame>| games.iter().map(|game| check.compare(game)).collect::<Vec<_>>();
        in_batches_in_order(games, StoredGame::memory, compare, |of_some| {
            of_some.into_iter().for_each(|of_game| compared += of_game);
            Ok::<_, ArchiveError>(())
        })?;
        Ok(check.flaw(compared, are_all_read))
    }
}

/// Whether the runs have as many keys as their blocks.
fn are_counted(db: &Connection) -> Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM plybook_identity_run WHERE keys <> (
                   SELECT coalesce(sum(count), 0) FROM plybook_identity_block
                   WHERE id BETWEEN first_block AND first_block + blocks - 1))
               AND (SELECT coalesce(sum(blocks), 0) FROM plybook_identity_run)
                   = (SELECT count(*) FROM plybook_identity_block)";
    db.query_row(sql, [], |row| row.get(0))
}

/// The last game whose identities are stored.
fn covered(db: &Connection) -> Result<GameId> {
    if !schema::has_table(db, "setting")? {
        return Ok(0);
    }
    let sql = "SELECT value FROM setting WHERE name = ?1 AND typeof(value) = 'integer'";
    let covered: Option<GameId> = db.prepare_cached(sql)?.query_row([NAME], |row| row.get(0)).optional()?;
    Ok(covered.unwrap_or(0).max(0))
}

fn key(identity: u32, game: GameId) -> u64 {
    u64::from(identity) << 32 | game.cast_unsigned() & u64::from(u32::MAX)
}
