//! The names of players, events and sites of an archive: by id, and the players that match a pattern.

use rusqlite::OptionalExtension;

use super::{NameKind, resolved_filter::players_named};
use crate::archive::{Archive, ArchiveError};

/// The names of players, events and sites in an archive.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    pub(in crate::archive) archive: &'a Archive,
}

impl Archive {
    /// Its names of players, events and sites.
    pub fn names(&self) -> Names<'_> {
        Names { archive: self }
    }
}

impl Names<'_> {
    /// The name with an id; `None` if there is none.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn of(self, of: NameKind, id: i64) -> Result<Option<String>, ArchiveError> {
        if !self.archive.is_one() {
            return Ok(self.name_for_all(of, id));
        }
        let sql = match of {
            NameKind::Player => "SELECT name FROM player WHERE id = ?1",
            NameKind::Event => "SELECT name FROM event WHERE id = ?1",
            NameKind::Site => "SELECT name FROM site WHERE id = ?1",
        };
        self.archive.db.attempt(|db| db.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional())
    }

    /// The ids of the players whose names match a pattern.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn players(self, pattern: &str) -> Result<Vec<i64>, ArchiveError> {
        if !self.archive.is_one() {
            return self.players_of_parts(pattern);
        }
        players_named(&self.archive.db, pattern).map_err(|error| self.archive.db.error(error))
    }

    /// The same in each of the archives that are read as one.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn players_in_parts(self, pattern: &str) -> Result<Vec<Vec<i64>>, ArchiveError> {
        self.archive.files().ask(|file| {
            let archive = file.lock();
            players_named(&archive.db, pattern).map_err(|error| archive.db.error(error))
        })
    }
}
