//! The identities of games, by which later versions of them are found.

use rusqlite::{Connection, OptionalExtension, Result};

use super::writer::Writer;
use crate::archive::{Filter, keys::KeyKind, schema};
use plybook_record::{GameId, same_game::Identities};

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

/// The last game whose identities are stored.
fn covered(db: &Connection) -> Result<GameId> {
    if !schema::has_table(db, "setting")? {
        return Ok(0);
    }
    let sql = "SELECT value FROM setting WHERE name = ?1 AND typeof(value) = 'integer'";
    Ok(db.prepare_cached(sql)?.query_row([NAME], |row| row.get(0)).optional()?.unwrap_or(0))
}

fn key(identity: u32, game: GameId) -> u64 {
    u64::from(identity) << 32 | game.cast_unsigned() & u64::from(u32::MAX)
}
