//! The log of changes.

use std::collections::BTreeSet;

use plybook_chess::chess::Date;
use plybook_record::{GameId, GameRange, StoredGame};
use rusqlite::{Connection, OptionalExtension, Result, Row, params, types::ValueRef};
use serde::Serialize;

use crate::archive::{
    Archive, ArchiveError,
    changes::imports::{self, ImportedSources},
    checksum::{self, Checked, Checksums},
    integers::integers,
    read::round_of,
    row_hash, source,
};

/// Bits of the number of a row in the id of a row of the log.
pub(super) const ROW_BITS: u32 = 32;

/// The command of a change that is an import.
pub(in crate::archive) const IMPORT: &str = "import";

/// The columns of a row of the log.
const COLUMNS: &str = "id, subject, target, image, replaces FROM plybook_change_row";

/// The numbers of the tables whose rows have the ids of games, for SQL.
fn of_games() -> String {
    let tables = Checked::BY_GAME.into_iter().chain([Checked::Game]);
    tables.map(|table| (table as i64).to_string()).collect::<Vec<_>>().join(", ")
}

/// Whether changes write a table.
fn is_written(table: Checked) -> bool {
    table.side().is_some()
        || matches!(table, Checked::Game | Checked::Removed | Checked::Former | Checked::Source)
}

/// A change of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LoggedChange {
    /// Its number.
    pub id: i64,
    /// When it was made: UTC, ISO 8601.
    pub made: String,
    /// The command that made it.
    pub command: String,
    /// Whether it has been undone.
    pub undone: bool,
    /// The number of games that it changed.
    pub games: u64,
    /// The sources, if it is an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportedSources>,
    /// 0 if it is in effect, otherwise a number that is higher the later it was undone.
    #[serde(skip)]
    pub(super) undone_at: i64,
    /// Whether it has a row in the log.
    #[serde(skip)]
    pub(super) has_row: bool,
}

/// What a change did with a game. Names are those that the game has now or, if it is removed, that it had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedGame {
    /// The game.
    pub id: GameId,
    /// Whether there was such a game before the change, and after it.
    pub exists: [bool; 2],
    /// Whether it still is as the change left it.
    pub is_as_left: bool,
    /// Its White, Black, event and site.
    pub names: [Option<String>; 4],
    /// Its date, if it has one.
    pub date: Option<Date>,
    /// Its round.
    pub round: Option<String>,
}

impl LoggedChange {
    /// Whether there is anything to undo or redo.
    pub(super) fn has_effect(&self) -> bool {
        self.has_row || self.games > 0 || self.import.as_ref().is_some_and(|import| import.keeps_rejects)
    }

    /// Whether it can no longer be undone or redone without the log: of the games that an import added, the archive
    /// knows without.
    pub fn is_logged(&self) -> bool {
        self.has_row
    }
}

impl ChangedGame {
    /// A stored game.
    pub fn of(game: &StoredGame) -> ChangedGame {
        let tag = |name| game.tags.get(name).map(str::to_owned);
        ChangedGame {
            id: game.id,
            exists: [true; 2],
            is_as_left: true,
            names: ["White", "Black", "Event", "Site"].map(tag),
            date: game.tags.get("Date").and_then(Date::parse),
            round: tag("Round"),
        }
    }
}

impl Archive {
    /// The first games that a change concerns, at most as many as given.
    pub fn changed_games(&self, change: &LoggedChange, most: u64) -> Result<Vec<ChangedGame>, ArchiveError> {
        self.db.attempt(|db| {
            // The rows of games come before those of their annotations.
            let sql = format!(
                "SELECT {COLUMNS} WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 AND subject IN ({})
                 ORDER BY subject, id LIMIT ?2",
                of_games()
            );
            let mut seen = BTreeSet::new();
            let mut rows = super::read(db, &sql, params![change.id, most.cast_signed()], Replaced::read)?;
            rows.retain(|row| seen.insert(row.target));
            rows.into_iter().map(|row| changed_game(db, change, row)).collect()
        })
    }

    /// A time of the log in the time zone of this machine: `2026-11-26 23:09`. What is no time stays as it is.
    pub fn local_time(&self, made: &str) -> Result<String, ArchiveError> {
        let sql = "SELECT coalesce(strftime('%Y-%m-%d %H:%M', ?1, 'localtime'), ?1)";
        self.db.attempt(|db| db.prepare_cached(sql)?.query_row([made], |row| row.get(0)))
    }

    /// All its changes and imports, in the order in which they were made. Several archives that are read as one have no log in
    /// common.
    pub fn changes(&self) -> Result<Vec<LoggedChange>, ArchiveError> {
        if self.is_one() { self.db.attempt(|db| read(db)) } else { Ok(Vec::new()) }
    }
}

/// What a change did with a game, by its first row in the log.
fn changed_game(db: &Connection, change: &LoggedChange, first: Replaced) -> Result<ChangedGame> {
    let mut exists = [first.image.is_some(), first.replaces.is_some()];
    if first.table != Checked::Game {
        exists = [true; 2];
    } else if change.undone {
        exists.reverse();
    }
    let present = checksum::row_of(db, first.table, first.target)?;
    let is_as_left = first.is_in_effect(present.as_deref());
    let removed = first.image.filter(|_| first.table == Checked::Game);
    let game = ChangedGame { id: first.target, exists, is_as_left, ..ChangedGame::default() };
    match checksum::row_of(db, Checked::Game, first.target)?.or(removed) {
        Some(row) => named(db, game, &row),
        None => Ok(game),
    }
}

/// A game with the names, the date and the round that its row leads to.
fn named(db: &Connection, game: ChangedGame, row: &[u8]) -> Result<ChangedGame> {
    let [section, white, black] = [3, 4, 5].map(|column| {
        row_hash::values(row).nth(column).and_then(|value| value.as_i64_or_null().ok().flatten())
    });
    let round = row_hash::values(row).nth(6).and_then(|value| round_of(value).text().map(String::from));
    let sql = "SELECT (SELECT name FROM player WHERE id = ?2), (SELECT name FROM player WHERE id = ?3),
                      (SELECT name FROM event WHERE id = section.event), (SELECT name FROM site WHERE id = section.site), date
               FROM section WHERE id = ?1";
    let found = db.prepare_cached(sql)?.query_row(params![section, white, black], |row| {
        let names = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        let date: Option<u32> = row.get(4)?;
        let date = date.and_then(Date::from_packed);
        Ok(ChangedGame { names, date, round: round.clone(), ..game.clone() })
    });
    Ok(found.optional()?.unwrap_or(game))
}

pub(super) fn read(db: &Connection) -> Result<Vec<LoggedChange>> {
    let sql = format!(
        "SELECT target FROM plybook_change_row WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 AND subject IN ({})",
        of_games()
    );
    let mut changes =
        super::read(db, "SELECT id, made, command, undone FROM plybook_change ORDER BY id", [], |row| {
            let (id, undone_at) = (row.get(0)?, row.get(3)?);
            // SQLite would put each of them into a table to count the different ones.
            let mut games = integers(db, &sql, [id])?;
            games.sort_unstable();
            games.dedup();
            Ok(LoggedChange {
                id,
                made: row.get(1)?,
                command: row.get(2)?,
                undone: undone_at != 0,
                games: games.len() as u64,
                import: None,
                undone_at,
                has_row: true,
            })
        })?;
    imports::add_to(&mut changes, db)?;
    Ok(changes)
}

/// A row that a change replaces.
pub(in crate::archive) struct Replaced {
    /// The id in the log.
    pub id: i64,
    pub table: Checked,
    pub target: i64,
    /// The row that is to be restored.
    pub image: Option<Vec<u8>>,
    /// The hash of the row that it replaces.
    pub replaces: Option<u64>,
}

impl Replaced {
    /// Reads a row of the log. A table that changes do not write is an error.
    fn read(row: &Row<'_>) -> Result<Replaced> {
        let subject: i64 = row.get(1)?;
        let table = Checked::of_number(subject).filter(|table| is_written(*table));
        Ok(Replaced {
            id: row.get(0)?,
            table: table.ok_or(rusqlite::Error::IntegralValueOutOfRange(1, subject))?,
            target: row.get(2)?,
            image: row.get(3)?,
            replaces: row.get::<_, Option<i64>>(4)?.map(i64::cast_unsigned),
        })
    }

    /// Whether the row to be restored has the id of the row that it replaces.
    pub(super) fn is_of_its_target(&self) -> bool {
        let Some(image) = &self.image else { return true };
        row_hash::values(image).next() == Some(ValueRef::Integer(self.target))
    }

    /// Whether the present row is the one that it replaces. A former fingerprint may have become one again by another
    /// game, which was removed too.
    pub(super) fn is_in_effect(&self, present: Option<&[u8]>) -> bool {
        let hash = present.map(|row| hash(self.table, row));
        hash == self.replaces || (self.table == Checked::Former && hash.is_some() && self.replaces.is_some())
    }

    /// The row in the log, encoded.
    pub(super) fn row(&self) -> Vec<u8> {
        let mut row = [self.id, self.table as i64, self.target].map(row_hash::integer).concat();
        row_hash::push(&mut row, self.image.as_deref().map_or(ValueRef::Null, ValueRef::Blob));
        let replaces = self.replaces.map(u64::cast_signed);
        row_hash::push(&mut row, replaces.map_or(ValueRef::Null, ValueRef::Integer));
        row
    }

    pub(in crate::archive) fn write(&self, db: &Connection, checksums: &mut Checksums) -> Result<()> {
        checksums.replace_row(db, Checked::ChangeRow, self.id, Some(&self.row())).map(drop)
    }
}

/// The hash of a row in the log. That of a source leaves out what says how far it has been read: other imports that are
/// undone may let it be read again.
pub(in crate::archive) fn hash(table: Checked, row: &[u8]) -> u64 {
    if table != Checked::Source {
        return row_hash::hash(table as u64, row);
    }
    let mut counts = Vec::new();
    let progress = source::PROGRESS;
    let values = row_hash::values(row).enumerate().filter(|(column, _)| !progress.contains(column));
    values.for_each(|(_, value)| row_hash::push(&mut counts, value));
    row_hash::hash(table as u64, &counts)
}

/// The rows that a change replaces, in the order in which it was made.
pub(super) fn rows(db: &Connection, change: i64) -> Result<Vec<Replaced>> {
    let sql = format!("SELECT {COLUMNS} WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 ORDER BY id");
    db.prepare_cached(&sql)?.query_map([change], Replaced::read)?.collect()
}

/// The rows in the log that replace rows of games in a range, or restore them.
pub(in crate::archive) fn rows_of_range(db: &Connection, games: GameRange) -> Result<Vec<Replaced>> {
    let sql = format!("SELECT {COLUMNS} WHERE subject = ?1 AND target BETWEEN ?2 AND ?3");
    super::read(db, &sql, params![Checked::Game as i64, games.start, games.last], Replaced::read)
}

/// The ids in the log of all rows of `game`.
pub(in crate::archive) fn rows_of_games(db: &Connection) -> Result<Vec<i64>> {
    let sql = "SELECT id FROM plybook_change_row WHERE subject = ?1";
    super::read(db, sql, [Checked::Game as i64], |row| row.get(0))
}

/// A row of the log.
pub(in crate::archive) fn row(db: &Connection, id: i64) -> Result<Replaced> {
    db.prepare_cached(&format!("SELECT {COLUMNS} WHERE id = ?1"))?.query_row([id], Replaced::read)
}

/// Whether rows of a change in the log have changed: undoing would restore what was never there.
pub(super) fn is_damaged(db: &Connection, change: i64) -> Result<bool> {
    let rows = change << ROW_BITS..=((change + 1) << ROW_BITS) - 1;
    Ok(checksum::first_change(db, Checked::ChangeRow, rows.into())?.is_some()
        || checksum::change(db, Checked::Change, Checked::Change.bucket(change))?.is_some())
}

/// The number of the next change. Imports have numbers too, those of their first sources.
pub(super) fn next_id(db: &Connection) -> Result<i64> {
    let sql =
        "SELECT max(coalesce(max(id), 0), (SELECT coalesce(max(id), 0) FROM source)) + 1 FROM plybook_change";
    db.query_row(sql, [], |row| row.get(0))
}

/// Writes the row of a new change.
pub(super) fn add(db: &Connection, checksums: &mut Checksums, id: i64, command: &str) -> Result<()> {
    let now: String = db.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", [], |row| row.get(0))?;
    checksums.replace(db, Checked::Change, id, params![now, command, 0])
}

/// Begins the log of an import, which is a change with the number of the import, unless it has begun.
pub(in crate::archive) fn begin_import(
    db: &Connection,
    checksums: &mut Checksums,
    import: i64,
    made: &str,
) -> Result<()> {
    let is_known = db.prepare_cached("SELECT 1 FROM plybook_change WHERE id = ?1")?.exists([import])?;
    if is_known { Ok(()) } else { checksums.replace(db, Checked::Change, import, params![made, IMPORT, 0]) }
}

/// The number of the first row of an update in the log of an import. The rows of its games, which are there once it is
/// undone, come before: redoing restores them first.
const FIRST_UPDATE: u32 = 1 << 31;

/// The number of the next row of an update in the log of an import.
pub(in crate::archive) fn next_update(db: &Connection, import: i64) -> Result<u32> {
    let sql = "SELECT max(?2, coalesce(max(id) - (?1 << 32) + 1, 0)) FROM plybook_change_row
               WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1";
    db.prepare_cached(sql)?.query_row((import, FIRST_UPDATE), |row| row.get(0))
}

/// Marks a change as undone or redone.
pub(super) fn mark(db: &Connection, checksums: &mut Checksums, id: i64, is_undone: bool) -> Result<()> {
    let next = "SELECT coalesce(max(undone), 0) + 1 FROM plybook_change";
    let undone: i64 = if is_undone { db.query_row(next, [], |row| row.get(0))? } else { 0 };
    let made = "SELECT made, command FROM plybook_change WHERE id = ?1";
    let (made, command): (String, String) = db.query_row(made, [id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    checksums.replace(db, Checked::Change, id, params![made, command, undone])
}

/// Whether nothing is logged.
pub(super) fn is_empty(db: &Connection) -> Result<bool> {
    Ok(super::read(db, "SELECT 1 FROM plybook_change LIMIT 1", [], |_| Ok(()))?.is_empty())
}

/// Deletes the log.
pub(super) fn delete(db: &Connection) -> Result<()> {
    db.execute_batch("DELETE FROM plybook_change; DELETE FROM plybook_change_row")?;
    let subjects = params![Checked::Change as i64, Checked::ChangeRow as i64];
    db.execute("DELETE FROM checksum WHERE subject IN (?1, ?2)", subjects).map(|_| ())
}
