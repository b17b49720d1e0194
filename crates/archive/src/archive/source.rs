//! Where the games of an archive came from, and how far each source has been read.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::archive::{
    Archive, Result, Writer,
    checksum::{Checked, replacing},
};
use plybook_record::GameId;

/// What happened to the games of one source. Always seen = stored + duplicate + rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceCounts {
    /// Games found.
    pub seen: u64,
    /// Games added.
    pub stored: u64,
    /// Games that the archive already had.
    pub duplicate: u64,
    /// Games that could not be stored.
    pub rejected: u64,
}

/// How far a source has been read; always a boundary between games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceState {
    /// Whether it has been read completely.
    pub ended: bool,
    /// A stamp that distinguishes its versions without reading it, if there is one.
    pub stamp: Option<u64>,
    /// Decompressed bytes processed.
    pub bytes: u64,
    /// Lines processed.
    pub lines: u64,
    /// xxh3 of those bytes; `None` if the source cannot be resumed.
    pub hash: Option<u64>,
    /// The games in them.
    pub counts: SourceCounts,
}

/// A source that has been imported from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSource {
    /// Its id.
    pub id: i64,
    /// How far it has been read.
    pub state: SourceState,
}

/// The source of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The source's name: a path, or `-`.
    pub source: String,
    /// 1-based number of the game in the source.
    pub number: u64,
}

/// The same with the rows that it was read from.
#[derive(Debug)]
pub(super) struct OriginRows {
    pub origin: Origin,
    /// `source_span.first_game`.
    pub span: GameId,
    /// `source.id`.
    pub source: i64,
}

impl Writer {
    /// Records a source. Returns its id.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn add_source(&mut self, name: &str) -> Result<i64> {
        self.begin()?;
        let sql =
            "INSERT INTO source (id, name, imported, ended, bytes, lines, seen, stored, duplicate, rejected)
                   VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0, 0, 0, 0, 0, 0, 0)";
        let db = &self.archive().db;
        let insert = || {
            let id: i64 =
                db.query_row("SELECT coalesce(max(id), 0) + 1 FROM source", [], |row| row.get(0))?;
            replacing(db, Checked::Source, id, || db.execute(sql, params![id, name]).map(|_| ()))?;
            Ok(id)
        };
        insert().map_err(|error| self.archive().db.error(error))
    }

    /// Records how far a source has been read; part of the batch.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn note_source(&mut self, source: i64, state: &SourceState) -> Result<()> {
        self.begin()?;
        let sql = "UPDATE source SET ended = ?2, stamp = ?3, bytes = ?4, lines = ?5, hash = ?6,
                          seen = ?7, stored = ?8, duplicate = ?9, rejected = ?10
                   WHERE id = ?1";
        let SourceState { ended, stamp, bytes, lines, hash, counts } = *state;
        let [stamp, hash] = [stamp, hash].map(|hash| hash.map(u64::cast_signed));
        let [bytes, lines, seen, stored, duplicate, rejected] =
            [bytes, lines, counts.seen, counts.stored, counts.duplicate, counts.rejected]
                .map(u64::cast_signed);
        let archive = self.archive();
        let values = params![source, ended, stamp, bytes, lines, hash, seen, stored, duplicate, rejected];
        let update = || archive.db.execute(sql, values).map(|_| ());
        replacing(&archive.db, Checked::Source, source, update).map_err(|error| archive.db.error(error))
    }
}

/// A source that games were imported from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedSource {
    /// Its path as given, or `-` for standard input.
    pub name: String,
    /// When its import started: UTC, ISO 8601.
    pub imported: String,
    /// Whether it has been read completely.
    pub ended: bool,
    /// The number of its games.
    #[serde(flatten)]
    pub counts: SourceCounts,
}

impl Archive {
    /// The sources of the games.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn imported_sources(&self) -> Result<Vec<ImportedSource>> {
        let sources = self.files().each().map(|archive| {
            archive.db.attempt(|db| {
                let sql =
                    "SELECT name, imported, ended, seen, stored, duplicate, rejected FROM source ORDER BY id";
                let source = |row: &Row<'_>| {
                    let (name, imported, ended) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    Ok(ImportedSource { name, imported, ended, counts: counts(row, 3)? })
                };
                db.prepare(sql)?.query_map([], source)?.collect::<rusqlite::Result<Vec<_>>>()
            })
        });
        Ok(sources.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// The sources of a file, in the order of their first import.
    pub(super) fn all_sources(&self) -> Result<Vec<(String, KnownSource)>> {
        let read = |row: &Row<'_>| {
            let number = |place: usize| row.get::<_, i64>(place).map(i64::cast_unsigned);
            let hash =
                |place: usize| row.get::<_, Option<i64>>(place).map(|hash| hash.map(i64::cast_unsigned));
            let state = SourceState {
                ended: row.get(2)?,
                stamp: hash(3)?,
                bytes: number(4)?,
                lines: number(5)?,
                hash: hash(6)?,
                counts: counts(row, 7)?,
            };
            Ok((row.get(1)?, KnownSource { id: row.get(0)?, state }))
        };
        let sql = "SELECT id, name, ended, stamp, bytes, lines, hash, seen, stored, duplicate, rejected
                   FROM source ORDER BY id";
        self.db.attempt(|db| db.prepare(sql)?.query_map([], read)?.collect())
    }

    /// The sources that have been imported before, by name; for equal names the newest.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn known_sources(&self) -> Result<HashMap<String, KnownSource>> {
        Ok(self.all_sources()?.into_iter().collect())
    }

    /// Where a game came from; `None` if that is not recorded.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn origin(&self, id: GameId) -> Result<Option<Origin>> {
        if !self.is_one() {
            return self.files().ask_part_with(id, Archive::origin).unwrap_or(Ok(None));
        }
        Ok(self.origin_rows(id)?.map(|rows| rows.origin))
    }

    pub(super) fn origin_rows(&self, id: GameId) -> Result<Option<OriginRows>> {
        let sql = "SELECT source.name, number + ?1 - first_game, first_game, source.id
                   FROM source_span JOIN source ON source.id = source_span.source
                   WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
        let read = |row: &Row<'_>| {
            let origin = Origin { source: row.get(0)?, number: row.get::<_, i64>(1)?.cast_unsigned() };
            Ok(OriginRows { origin, span: row.get(2)?, source: row.get(3)? })
        };
        let rows = self.db.query_row(sql, [id], read);
        rows.optional().map_err(|error| self.db.error(error))
    }
}

/// The counts of a source, from a column on.
fn counts(row: &Row<'_>, first: usize) -> rusqlite::Result<SourceCounts> {
    let count = |column| row.get(column).map(i64::cast_unsigned);
    let [seen, stored, duplicate, rejected] = [first, first + 1, first + 2, first + 3].map(count);
    Ok(SourceCounts { seen: seen?, stored: stored?, duplicate: duplicate?, rejected: rejected? })
}
