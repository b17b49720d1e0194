//! The names of players, events and sites of an archive: by id, and the players that match a pattern.

use std::fmt::{self, Display};

use rusqlite::{CachedStatement, Connection, OptionalExtension};
use serde::Serialize;

use crate::archive::{Archive, Result, write::names::NAME_TABLES};

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl Display for NameKind {
    /// The table of the names, which is also the name of the column in `section`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME_TABLES[*self as usize].name)
    }
}

/// A name and its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CountedName {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The first year with a game, if known.
    pub first_year: Option<u32>,
    /// The last year.
    pub last_year: Option<u32>,
}

impl CountedName {
    /// The years of its games, if known: `2001–2023`.
    pub fn years(&self) -> Option<String> {
        let (first, last) = (self.first_year?, self.last_year?);
        Some(if first == last { first.to_string() } else { format!("{first}–{last}") })
    }

    /// Counts another game, with its year if known.
    pub fn add(&mut self, year: Option<u16>) {
        self.add_games(1, year);
    }

    /// Counts more games of a year.
    pub fn add_games(&mut self, games: u64, year: Option<u16>) {
        self.games += games;
        if let Some(year) = year.map(u32::from) {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = self.last_year.max(Some(year));
        }
    }
}

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

/// The statement that finds the name with an id.
fn by_id(db: &Connection, of: NameKind) -> rusqlite::Result<CachedStatement<'_>> {
    db.prepare_cached(&format!("SELECT name FROM {of} WHERE id = ?1"))
}

impl Names<'_> {
    /// The name with an id; `None` if there is none.
    pub fn of(self, of: NameKind, id: i64) -> Result<Option<String>> {
        if !self.archive.is_one() {
            return Ok(self.name_for_all(of, id));
        }
        self.archive.db.attempt(|db| by_id(db, of)?.query_row([id], |row| row.get(0)).optional())
    }

    /// The names with some ids, in their order; empty where there is none.
    pub fn of_each(self, of: NameKind, ids: impl IntoIterator<Item = i64>) -> Result<Vec<String>> {
        let ids = ids.into_iter();
        if !self.archive.is_one() {
            return Ok(ids.map(|id| self.name_for_all(of, id).unwrap_or_default()).collect());
        }
        self.archive.db.attempt(|db| {
            let mut find = by_id(db, of)?;
            let mut name = |id| find.query_row([id], |row| row.get(0)).optional();
            ids.map(|id| Ok(name(id)?.unwrap_or_default())).collect()
        })
    }

    /// The ids of the players whose names match a pattern.
    pub fn players(self, pattern: &str) -> Result<Vec<i64>> {
        if !self.archive.is_one() {
            return self.players_of_parts(pattern);
        }
        self.archive.db.attempt(|db| db.named.ids(db, pattern))
    }

    /// The same in each of the archives that are read as one.
    pub fn players_in_parts(self, pattern: &str) -> Result<Vec<Vec<i64>>> {
        self.archive.files().query(|db| db.named.ids(db, pattern))
    }
}
