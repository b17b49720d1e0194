//! Numbering sections again after many of them have gone: lower numbers take fewer bytes in each game, above 32,767 three
//! and below two.

use std::collections::HashSet;

use rusqlite::{Connection, Result, types::ValueRef};

use crate::archive::{
    changes::log,
    checksum::{Checked, Checksums, has_changes, row_of, while_changing},
    integers::integers,
    row_hash,
};
use plybook_record::GameId;

/// A section with its new number.
struct Renumbered {
    before: i64,
    now: i64,
}

/// Gives sections the lowest numbers, except for some that keep theirs, if that saves space; part of a transaction. The log of
/// changes, which recognizes rows by their hashes, still does.
pub(super) fn renumber_sections(
    db: &Connection,
    checksums: &mut Checksums,
    kept: &HashSet<i64>,
) -> Result<()> {
    let sections = integers(db, "SELECT id FROM section ORDER BY id", [])?;
    let last = sections.last().copied().unwrap_or(0);
    if last < (sections.len() + sections.len() / 4) as i64 || are_in_unique_index(db)? {
        return Ok(());
    }
    let renumbered = renumbered(&sections, kept);
    let logged = present_rows(db)?;
    while_changing(db, Checked::Game, || change_games(db, &renumbered))?;
    for Renumbered { before, now } in renumbered {
        let row = row_of(db, Checked::Section, before)?.unwrap_or_default();
        checksums.replace_row(db, Checked::Section, before, None)?;
        checksums.replace_row(
            db,
            Checked::Section,
            now,
            Some(&row_hash::with(&row, &[(0, ValueRef::Integer(now))])),
        )?;
    }
    for PresentRow { number, game } in logged {
        let mut row = log::row(db, number)?;
        row.replaces = row_of(db, Checked::Game, game)?.map(|row| log::hash(Checked::Game, &row));
        row.write(db, checksums)?;
    }
    Ok(())
}

/// Whether a user's UNIQUE index has the sections of games, which could be equal to others while they change.
fn are_in_unique_index(db: &Connection) -> Result<bool> {
    let sql = "SELECT 1 FROM pragma_index_list('game') AS list, pragma_index_info(list.name) AS of
               WHERE list.\"unique\" <> 0 AND of.name = 'section'";
    db.prepare(sql)?.exists([])
}

/// The sections that get another number. None is higher than before, so in this order a number is free when it is given.
fn renumbered(sections: &[i64], kept: &HashSet<i64>) -> Vec<Renumbered> {
    let mut free = (1..).filter(|number| !kept.contains(number));
    let moving = sections.iter().filter(|section| !kept.contains(section));
    let numbered = moving.map(|&before| Renumbered { before, now: free.next().unwrap_or(before) });
    numbered.filter(|section| section.before != section.now).collect()
}

fn change_games(db: &Connection, renumbered: &[Renumbered]) -> Result<()> {
    db.execute_batch("CREATE TEMP TABLE renumbered (before INTEGER PRIMARY KEY, now INTEGER)")?;
    let mut add = db.prepare("INSERT INTO temp.renumbered VALUES (?1, ?2)")?;
    for Renumbered { before, now } in renumbered {
        add.execute([before, now])?;
    }
    let change = "UPDATE game SET section = (SELECT now FROM temp.renumbered WHERE before = section)
                  WHERE section IN (SELECT before FROM temp.renumbered)";
    db.execute(change, [])?;
    drop(add);
    db.execute_batch("DROP TABLE temp.renumbered")
}

/// A row of the log that expects the present row of a game.
struct PresentRow {
    number: i64,
    game: GameId,
}

fn present_rows(db: &Connection) -> Result<Vec<PresentRow>> {
    let mut present = Vec::new();
    if !has_changes(db)? {
        return Ok(present);
    }
    for number in log::rows_of_games(db)? {
        let row = log::row(db, number)?;
        let hash = row_of(db, Checked::Game, row.target)?.map(|row| log::hash(Checked::Game, &row));
        if row.replaces.is_some() && row.replaces == hash {
            present.push(PresentRow { number, game: row.target });
        }
    }
    Ok(present)
}
