//! Writing games: one writer, one transaction a batch.

use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension, params, types::ToSqlOutput};

use super::{
    Archive, ArchiveError, GameId, Record,
    columns::{Form, Round, result_id},
    turn::Turn,
};
use crate::pgn::{Place, Tags};

/// Most names of a kind that are remembered; beyond that the archive is asked again.
const REMEMBERED: usize = 50_000;

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// Stored under a new id.
    Stored(GameId),
    /// The archive had it already.
    Duplicate,
}

/// Adds games to an archive. Nothing is kept until [`commit`](Writer::commit).
#[derive(Debug)]
pub struct Writer {
    archive: Archive,
    names: [Names; 4],
    forms: HashMap<Form, i64>,
    next_id: GameId,
    /// The source and number that a game must have to lengthen the current span.
    run: Option<(i64, u64)>,
    turn: Turn,
}

/// The tables of names, by place in [`Writer::names`].
const TABLES: [(&str, &str); 4] = [("player", "name"), ("event", "name"), ("site", "name"), ("setup", "fen")];

/// Names of one table that have been met.
#[derive(Debug, Default)]
struct Names(HashMap<String, i64>);

impl Names {
    fn id(&mut self, db: &Connection, table: usize, name: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.0.get(name) {
            return Ok(*id);
        }
        let (table, column) = TABLES[table];
        let find = format!("SELECT id FROM {table} WHERE {column} = ?1");
        let found = db.prepare_cached(&find)?.query_row([name], |row| row.get(0)).optional()?;
        let id = match found {
            Some(id) => id,
            None => {
                db.prepare_cached(&format!("INSERT INTO {table} ({column}) VALUES (?1)"))?.execute([name])?;
                db.last_insert_rowid()
            }
        };
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        self.0.insert(name.to_owned(), id);
        Ok(id)
    }
}

impl Archive {
    /// Begins a batch of games. Another writer is waited for. Dropping the writer gives up what has not been
    /// committed.
    ///
    /// # Errors
    /// SQLite's.
    pub fn into_writer(self) -> Result<Writer, ArchiveError> {
        self.run("BEGIN IMMEDIATE")?;
        let next_id = self
            .db
            .query_row("SELECT coalesce(max(id), 0) + 1 FROM game", [], |row| row.get(0))
            .map_err(|error| self.error(error))?;
        Ok(Writer {
            archive: self,
            names: Default::default(),
            forms: HashMap::new(),
            next_id,
            run: None,
            turn: Turn::new(),
        })
    }
}

impl Writer {
    /// Adds a game that came from a source, unless the archive has it already.
    ///
    /// # Errors
    /// SQLite's; the batch should be given up then.
    pub fn add(&mut self, record: &Record, source: i64, place: Place) -> Result<Added, ArchiveError> {
        self.try_add(record, source, place).map_err(|error| self.archive.error(error))
    }

    fn try_add(&mut self, record: &Record, source: i64, place: Place) -> rusqlite::Result<Added> {
        let id = self.next_id;
        if !self.remember(record.hash, id)? {
            self.run = None;
            return Ok(Added::Duplicate);
        }
        self.insert(id, record)?;
        self.next_id += 1;
        self.lengthen_span(id, source, place)?;
        Ok(Added::Stored(id))
    }

    /// Stores a fingerprint; false if it is there already.
    fn remember(&self, hash: u64, id: GameId) -> rusqlite::Result<bool> {
        let mut insert =
            self.cached("INSERT INTO fingerprint (hash, game) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?;
        Ok(insert.execute(params![hash.cast_signed(), id])? == 1)
    }

    fn insert(&mut self, id: GameId, record: &Record) -> rusqlite::Result<()> {
        let columns = &record.columns;
        let form = self.form_id(&record.form)?;
        let white = self.name_id(0, columns.white, &record.tags)?;
        let black = self.name_id(0, columns.black, &record.tags)?;
        let event = self.name_id(1, columns.event, &record.tags)?;
        let site = self.name_id(2, columns.site, &record.tags)?;
        let setup = self.name_id(3, columns.setup, &record.tags)?;
        let mut insert = self.cached(
            "INSERT INTO game (id, moves, plies, result, form, white, black, event, site, date, round,
                               white_elo, black_elo, eco, setup, tags)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?;
        insert.execute(params![
            id,
            record.moves,
            i64::try_from(record.plies).unwrap_or(i64::MAX),
            result_id(record.result),
            form,
            white,
            black,
            event,
            site,
            columns.date,
            columns.round,
            columns.white_elo,
            columns.black_elo,
            columns.eco,
            setup,
            columns.texts,
        ])?;
        Ok(())
    }

    /// Notes where the game came from, by lengthening the run of its source or beginning a new one.
    fn lengthen_span(&mut self, id: GameId, source: i64, place: Place) -> rusqlite::Result<()> {
        if self.run != Some((source, place.game)) {
            let mut insert = self.cached(
                "INSERT INTO span (first_game, source, number, byte, line) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            insert.execute(params![
                id,
                source,
                place.game.cast_signed(),
                place.byte.cast_signed(),
                place.line.cast_signed()
            ])?;
        }
        self.run = Some((source, place.game + 1));
        Ok(())
    }

    fn cached(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>> {
        self.archive.db.prepare_cached(sql)
    }

    fn name_id(&mut self, table: usize, place: Option<usize>, tags: &Tags) -> rusqlite::Result<Option<i64>> {
        let name = place.and_then(|place| tags.iter().nth(place));
        name.map(|(_, name)| self.names[table].id(&self.archive.db, table, name)).transpose()
    }

    fn form_id(&mut self, form: &Form) -> rusqlite::Result<i64> {
        if let Some(id) = self.forms.get(form) {
            return Ok(*id);
        }
        let key = params![form.codec.0, form.variant.id(), form.layout, form.texts];
        let db = &self.archive.db;
        db.execute(
            "INSERT INTO form (codec, variant, layout, texts) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            key,
        )?;
        let id = db.query_row(
            "SELECT id FROM form WHERE codec = ?1 AND variant = ?2 AND layout = ?3 AND texts = ?4",
            key,
            |row| row.get(0),
        )?;
        if self.forms.len() >= REMEMBERED {
            self.forms.clear();
        }
        self.forms.insert(form.clone(), id);
        Ok(id)
    }

    /// Makes the batch durable and begins the next one.
    ///
    /// # Errors
    /// SQLite's; then nothing of the batch is stored.
    pub fn commit(&mut self) -> Result<(), ArchiveError> {
        self.archive.run("COMMIT")?;
        self.turn.make_room(&self.archive)?;
        self.archive.run("BEGIN IMMEDIATE")?;
        // Another writer may have had its turn in between.
        let next =
            self.archive.db.query_row("SELECT coalesce(max(id), 0) + 1 FROM game", [], |row| row.get(0));
        let next: GameId = next.map_err(|error| self.archive.error(error))?;
        if next != self.next_id {
            (self.next_id, self.run) = (next, None);
        }
        Ok(())
    }

    /// Makes the batch durable and ends writing.
    ///
    /// # Errors
    /// SQLite's; then nothing of the batch is stored.
    pub fn finish(self) -> Result<Archive, ArchiveError> {
        self.archive.run("COMMIT")?;
        Ok(self.archive)
    }

    pub(super) fn archive(&self) -> &Archive {
        &self.archive
    }
}

impl rusqlite::ToSql for Round {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Round::None => Ok(rusqlite::types::Null.into()),
            Round::Number(number) => number.to_sql(),
            Round::Text(text) => text.to_sql(),
        }
    }
}
