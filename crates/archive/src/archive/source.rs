//! Where the games of an archive came from, and how far each source has been read.

use std::collections::HashMap;

use rusqlite::{
    Connection, OptionalExtension, Row, params,
    types::{Null, ValueRef},
};
use serde::Serialize;

use crate::archive::{
    Archive, ArchiveError, Result, Writer,
    changes::{log, removed},
    checksum::{Checked, row_of},
    row_hash,
    schema::{self, UPDATED_VERSION},
};
use plybook_record::{GameId, GameRange};

/// What happened to the games of one source.
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

impl SourceCounts {
    /// Games that were left out because they do not meet the condition of the import.
    pub fn unmatched(&self) -> u64 {
        self.seen.saturating_sub(self.stored).saturating_sub(self.duplicate).saturating_sub(self.rejected)
    }

    /// The sums of both.
    #[must_use]
    pub fn plus(&self, other: &SourceCounts) -> SourceCounts {
        SourceCounts {
            seen: self.seen + other.seen,
            stored: self.stored + other.stored,
            duplicate: self.duplicate + other.duplicate,
            rejected: self.rejected + other.rejected,
        }
    }
}

/// How far a source has been read; always a boundary between games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceState {
    /// Whether it has been read completely.
    pub ended: bool,
    /// A stamp that distinguishes its versions without reading it, if there is one. Of a compressed source that has not
    /// been read completely: the number of its games that checksums have confirmed.
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

impl SourceState {
    /// This state of an archive after games of the source were removed from it, so that it has only confirmed ones.
    #[must_use]
    pub fn without(&self, removed: u64, confirmed: &SourceState) -> SourceState {
        let stored = self.counts.stored.saturating_sub(removed);
        let seen = confirmed.counts.seen.max(stored);
        let rejected = confirmed.counts.rejected.min(seen - stored);
        let duplicate = (seen - stored - rejected).saturating_sub(confirmed.counts.unmatched());
        let counts = SourceCounts { seen, stored, duplicate, rejected };
        SourceState { counts, ..*confirmed }
    }
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

/// An import: its sources have the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::archive) struct Import {
    /// Its number in the log: the id of its first source.
    pub number: i64,
    /// When it started: UTC, ISO 8601, with milliseconds.
    pub imported: String,
    /// The number of the next row of its updates in the log; 0 if it has not updated a game since it was continued.
    pub next_update: u32,
}

impl Writer {
    /// Records a source of the present import. Returns its id, which is higher than the numbers of all changes.
    pub fn add_source(&mut self, name: &str) -> Result<i64> {
        self.begin()?;
        let last = match self.has_changes {
            true => "(SELECT coalesce(max(id), 0) FROM plybook_change)",
            false => "0",
        };
        let next = format!(
            "SELECT max(coalesce(max(id), 0), {last}) + 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM source"
        );
        let (checksums, import) = (&mut self.registers.checksums, &mut self.import);
        let id = self.archive.db.attempt(|db| {
            let (id, now): (i64, String) = db.query_row(&next, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let Import { imported, .. } =
                import.get_or_insert(Import { number: id, imported: now, next_update: 0 });
            let values = params![name, *imported, 0, Null, 0, 0, Null, 0, 0, 0, 0];
            checksums.replace(db, Checked::Source, id, values).map(|()| id)
        })?;
        self.follow_source(id)?;
        Ok(id)
    }

    /// Records a source of another archive, with the time of its import there. Returns its id.
    pub(in crate::archive) fn copy_source(&mut self, name: &str, imported: &str) -> Result<i64> {
        self.import = Some(Import { number: 0, imported: imported.to_owned(), next_update: 0 });
        self.add_source(name)
    }

    /// Continues the import that a source belongs to, unless this import has begun: what was stopped and is continued
    /// is one import.
    pub fn continue_import(&mut self, source: i64) -> Result<()> {
        self.begin()?;
        if self.import.is_none() {
            let sql = "SELECT min(id), imported FROM source
                       WHERE imported = (SELECT imported FROM source WHERE id = ?1)";
            let has_changes = self.has_changes;
            self.import = Some(self.archive.db.attempt(|db| {
                let (number, imported) = db.query_row(sql, [source], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let next_update = if has_changes { log::next_update(db, number)? } else { 0 };
                Ok(Import { number, imported, next_update })
            })?);
        }
        self.follow_source(source)
    }

    /// Follows a source that is being read: another program that undoes an import changes its row.
    fn follow_source(&mut self, source: i64) -> Result<()> {
        let row = self.archive.db.attempt(|db| row_of(db, Checked::Source, source))?;
        self.noted = row.map(|row| (source, row_hash::hash(Checked::Source as u64, &row)));
        Ok(())
    }

    /// Records how far a source has been read; part of the batch.
    ///
    /// # Errors
    /// Another program has undone an import meanwhile; the batch should then be discarded.
    pub fn note_source(&mut self, source: i64, state: &SourceState) -> Result<()> {
        self.begin()?;
        let before = self.noted.filter(|(noted, _)| *noted == source);
        if before.is_some() {
            self.follow_source(source)?;
            if self.noted != before {
                let what = "another program has undone an import or read the source meanwhile; run this import again";
                return Err(ArchiveError::Conflict(what.to_owned()));
            }
        }
        self.set_source(source, state)?;
        if before.is_some() { self.follow_source(source) } else { Ok(()) }
    }

    fn set_source(&mut self, source: i64, state: &SourceState) -> Result<()> {
        let checksums = &mut self.registers.checksums;
        self.archive.db.attempt(|db| {
            if state.counts.unmatched() > 0 {
                schema::raise_version(db, UPDATED_VERSION)?;
            }
            let row = row(db, source, state)?;
            checksums.replace_row(db, Checked::Source, source, Some(&row)).map(drop)
        })
    }
}

/// The columns of a source that change when it is to be read again: whether it has ended, its stamp and its hash.
pub(super) const PROGRESS: [usize; 3] = [3, 4, 7];

/// The row of a source with another state.
pub(super) fn row(db: &Connection, source: i64, state: &SourceState) -> rusqlite::Result<Vec<u8>> {
    let SourceState { ended, stamp, bytes, lines, hash, counts } = *state;
    let SourceCounts { seen, stored, duplicate, rejected } = counts;
    let integer = |number: u64| ValueRef::Integer(number.cast_signed());
    let optional = |hash: Option<u64>| hash.map_or(ValueRef::Null, integer);
    let begun = "SELECT name, imported FROM source WHERE id = ?1";
    db.prepare_cached(begun)?.query_row([source], |begun| {
        let mut row = row_hash::integer(source).to_vec();
        let begun = [begun.get_ref(0)?, begun.get_ref(1)?, integer(ended.into())];
        let read = [optional(stamp), integer(bytes), integer(lines), optional(hash)];
        let games = [seen, stored, duplicate, rejected].map(integer);
        begun.into_iter().chain(read).chain(games).for_each(|value| row_hash::push(&mut row, value));
        Ok(row)
    })
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
    pub fn imported_sources(&self) -> Result<Vec<ImportedSource>> {
        let mut sources = Vec::new();
        for archive in self.files().each() {
            let own = archive.all_sources()?.into_iter();
            sources.extend(own.map(|(name, imported, KnownSource { state, .. })| ImportedSource {
                name,
                imported,
                ended: state.ended,
                counts: state.counts,
            }));
        }
        Ok(sources)
    }

    /// The sources of a file, in the order of their first import: their names, when their imports started, and how far
    /// they have been read.
    pub(super) fn all_sources(&self) -> Result<Vec<(String, String, KnownSource)>> {
        self.db.attempt(|db| all(db))
    }

    /// The sources that have been imported before, by name; for equal names the newest.
    pub fn known_sources(&self) -> Result<HashMap<String, KnownSource>> {
        let mut known = HashMap::new();
        for (name, _, source) in self.all_sources()? {
            // A source whose import was undone is not known any more.
            match source.state == SourceState::default() {
                true => known.remove(&name),
                false => known.insert(name, source),
            };
        }
        Ok(known)
    }

    /// Where a game came from; `None` if that is not recorded.
    pub fn origin(&self, id: GameId) -> Result<Option<Origin>> {
        if !self.is_one() {
            return self.files().ask_part_with(id, Archive::origin).unwrap_or(Ok(None));
        }
        Ok(self.origin_rows(id)?.map(|(origin, ..)| origin))
    }

    /// The ids, as ranges in order, that games of a source after a number in it have or had.
    pub fn ranges_after(&self, source: i64, number: u64) -> Result<Vec<GameRange>> {
        self.db.attempt(|db| ranges_after(db, source, number))
    }

    /// The origin of a game, with the keys of its rows: `source_span.first_game` and `source.id`.
    pub(super) fn origin_rows(&self, id: GameId) -> Result<Option<(Origin, GameId, i64)>> {
        let sql = "SELECT source.name, number + ?1 - first_game, first_game, source.id
                   FROM source_span JOIN source ON source.id = source_span.source
                   WHERE first_game <= ?1 ORDER BY first_game DESC LIMIT 1";
        let read = |row: &Row<'_>| {
            let origin = Origin { source: row.get(0)?, number: row.get::<_, i64>(1)?.cast_unsigned() };
            Ok((origin, row.get(2)?, row.get(3)?))
        };
        self.db.attempt(|db| db.query_row(sql, [id], read).optional())
    }
}

/// See [`Archive::all_sources`].
pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<(String, String, KnownSource)>> {
    let read = |row: &Row<'_>| {
        let number = |place: usize| row.get::<_, i64>(place).map(i64::cast_unsigned);
        let hash = |place: usize| row.get::<_, Option<i64>>(place).map(|hash| hash.map(i64::cast_unsigned));
        let [seen, stored, duplicate, rejected] = [number(8)?, number(9)?, number(10)?, number(11)?];
        let state = SourceState {
            ended: row.get(3)?,
            stamp: hash(4)?,
            bytes: number(5)?,
            lines: number(6)?,
            hash: hash(7)?,
            counts: SourceCounts { seen, stored, duplicate, rejected },
        };
        Ok((row.get(1)?, row.get(2)?, KnownSource { id: row.get(0)?, state }))
    };
    let sql = "SELECT id, name, imported, ended, stamp, bytes, lines, hash, seen, stored, duplicate, rejected
               FROM source ORDER BY id";
    db.prepare(sql)?.query_map([], read)?.collect()
}

/// The ids, as ranges in order, that games of a source after a number in it have or had.
pub(super) fn ranges_after(db: &Connection, source: i64, number: u64) -> rusqlite::Result<Vec<GameRange>> {
    let sql = "SELECT first_game + max(0, ?2 + 1 - number),
                      (SELECT min(first_game) FROM source_span AS next
                       WHERE next.first_game > source_span.first_game) - 1
               FROM source_span WHERE source = ?1 ORDER BY first_game";
    let last = removed::last_id(db)?;
    let read = |row: &Row<'_>| Ok((row.get(0)?..=row.get::<_, Option<_>>(1)?.unwrap_or(last)).into());
    let mut statement = db.prepare_cached(sql)?;
    let ranges = statement.query_map((source, number.cast_signed()), read)?;
    ranges.filter(|range| range.as_ref().map_or(true, |range: &GameRange| !range.is_empty())).collect()
}
