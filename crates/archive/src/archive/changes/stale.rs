//! Games whose rows differ, in what an index has of them, from those that the segments of the index were built from.

use std::collections::HashSet;

use rusqlite::{
    Connection, Result, params, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};

use super::read;
use crate::archive::{
    checksum::{Checked, Checksums, TableRows, changed_ids, has_changes, insert_into, row_of},
    game_table,
    read::IndexedSections,
    row_hash, schema,
};
use plybook_record::{GameId, GameRange};

/// Bits of the id of a game in the id of a row.
const GAME_BITS: u32 = 32;

/// The ids and games of the segments of the index, of all kinds.
pub(super) fn segments(db: &Connection) -> Result<Vec<(i64, GameRange)>> {
    if !schema::has_table(db, "segment")? {
        return Ok(Vec::new());
    }
    let mut statement = db.prepare_cached("SELECT id, first_game, last_game FROM segment")?;
    statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?..=row.get(2)?).into())))?.collect()
}

/// A game with its row before and after a change.
pub(super) type ChangedRow<'a> = (GameId, [Option<&'a [u8]>; 2]);

/// Whether rows of a game are the same to an index, which has nothing of most tags.
fn are_indexed_alike(
    db: &Connection,
    sections: &mut IndexedSections,
    rows: [Option<&[u8]>; 2],
) -> Result<bool> {
    let [Some(one), Some(other)] = rows else { return Ok(rows[0] == rows[1]) };
    let is_same = |(place, (one, other))| game_table::NOT_INDEXED.contains(&place) || one == other;
    if !row_hash::values(one).zip(row_hash::values(other)).enumerate().all(is_same) {
        return Ok(false);
    }
    let mut section = |row| sections.get(db, row_hash::integer_at(row, game_table::SECTION));
    let (one, other) = (section(one)?, section(other)?);
    // A start position can be in any of the tags.
    Ok(one == other && one.is_some_and(|section| !section.has_setups))
}

/// Records that the rows of games change.
pub(super) fn note(
    db: &Connection,
    checksums: &mut Checksums,
    segments: &[(i64, GameRange)],
    games: &[ChangedRow<'_>],
) -> Result<()> {
    let (mut stale, mut sections) = (TableRows::of(db, Checked::Stale)?, IndexedSections::default());
    for (segment, range) in segments {
        for (game, [before, after]) in games.iter().filter(|(game, _)| range.contains(game)) {
            let id = segment << GAME_BITS | game;
            let known = stale.get(id)?;
            let noted = match &known {
                None if are_indexed_alike(db, &mut sections, [*before, *after])? => continue,
                None => Some(row(id, *before)),
                Some(known) if *known == row(id, *after) => None,
                Some(_) => continue,
            };
            stale.replace(checksums, id, [known.as_deref(), noted.as_deref()])?;
        }
    }
    Ok(())
}

/// Whether the rows of games that have changed since a state of the archive can still be read, since their sections are the
/// same: recompressing may have given them other numbers.
pub(in crate::archive) fn can_note_since(
    state: &Connection,
    db: &Connection,
    games: GameRange,
) -> Result<bool> {
    let mut sections = HashSet::new();
    if has_changes(db)? {
        for game in changed_ids([state, db], Checked::Game, games)? {
            let row = row_of(state, Checked::Game, game)?.unwrap_or_default();
            sections.insert(row_hash::integer_at(&row, game_table::SECTION));
        }
    }
    for section in sections {
        if row_of(state, Checked::Section, section)? != row_of(db, Checked::Section, section)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Records the games of a new segment that have changed since the state of the archive that it was built from.
pub(in crate::archive) fn note_since(
    state: &Connection,
    db: &Connection,
    segment: i64,
    games: GameRange,
) -> Result<()> {
    if !has_changes(db)? {
        return Ok(());
    }
    let mut checksums = Checksums::default();
    for game in changed_ids([state, db], Checked::Game, games)? {
        let (before, after) = (row_of(state, Checked::Game, game)?, row_of(db, Checked::Game, game)?);
        note(db, &mut checksums, &[(segment, games)], &[(game, [before.as_deref(), after.as_deref()])])?;
    }
    checksums.flush(db)
}

fn row(id: i64, seen: Option<&[u8]>) -> Vec<u8> {
    let mut row = row_hash::integer(id).to_vec();
    row_hash::push(&mut row, seen.map_or(ValueRef::Null, ValueRef::Blob));
    row
}

/// The stale games of a segment, in order.
pub(in crate::archive) fn games(db: &Connection, segment: i64) -> Result<Vec<GameId>> {
    let sql = "SELECT id - (?1 << 32) FROM plybook_stale WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1";
    read(db, sql, [segment], |row| row.get(0))
}

/// The rows of stale games as the segments saw them.
pub(in crate::archive) fn seen_rows(db: &Connection) -> Result<Vec<Vec<u8>>> {
    read(db, "SELECT seen FROM plybook_stale WHERE seen IS NOT NULL", [], |row| row.get(0))
}

/// Forgets the stale games of a segment that is replaced or dropped.
pub(in crate::archive) fn forget(db: &Connection, checksums: &mut Checksums, segment: i64) -> Result<()> {
    if !has_changes(db)? {
        return Ok(());
    }
    let first = segment << GAME_BITS;
    checksums.remove_rows(db, Checked::Stale, (first..=first | ((1 << GAME_BITS) - 1)).into())
}

/// Forgets all stale games, because the index is dropped.
pub(in crate::archive) fn forget_all(db: &Connection) -> Result<()> {
    if has_changes(db)? {
        db.execute_batch("DELETE FROM plybook_stale")?;
        db.execute("DELETE FROM checksum WHERE subject = ?1", [Checked::Stale as i64])?;
    }
    Ok(())
}

/// Creates a temporary table of games that hides the table of games: its rows in a range, as a segment saw them.
/// [`unhide`] drops it.
pub(in crate::archive) fn hide_by_seen(db: &Connection, segment: i64, games: GameRange) -> Result<()> {
    let create = schema::table("game").replacen("CREATE TABLE", "CREATE TEMP TABLE", 1);
    // A temporary table cannot refer to other tables.
    let create = create.replace(" REFERENCES section", "").replace(" REFERENCES player", "");
    db.execute_batch(&create)?;
    let copy = format!(
        "INSERT INTO temp.game SELECT {} FROM main.game WHERE id BETWEEN ?1 AND ?2
         AND id NOT IN (SELECT id - (?3 << 32) FROM plybook_stale
                        WHERE id BETWEEN ?3 << 32 AND ((?3 + 1) << 32) - 1)",
        game_table::COLUMNS
    );
    db.execute(&copy, params![games.start, games.last, segment])?;
    let sql = "SELECT seen FROM plybook_stale WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1
               AND seen IS NOT NULL";
    let mut seen = db.prepare(sql)?;
    let mut rows = seen.query([segment])?;
    while let Some(row) = rows.next()? {
        let row = row.get_ref(0)?.as_blob()?;
        let values = row_hash::values(row).map(ToSqlOutput::Borrowed);
        db.prepare_cached(&insert_into("temp.game", row))?.execute(params_from_iter(values))?;
    }
    Ok(())
}

/// Drops the temporary table.
pub(in crate::archive) fn unhide(db: &Connection) -> Result<()> {
    db.execute_batch("DROP TABLE IF EXISTS temp.game")
}
