//! The names that are most like a misspelt one, for a query that finds nothing because no game has that name.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::looked_up::{buckets, json};
use crate::{
    archive::{Archive, ArchiveError, NameKind},
    limits::MAX_SIMILAR_NAMES,
};
use plybook_chess::near_name::TypedName;

/// Names whose games are counted one by one; which of them have most games is estimated before.
const COUNTED: usize = 5;

/// A name in an archive, and the games that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SimilarName {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The first year in which there is one, if it is known.
    pub first_year: Option<u32>,
    /// The last one.
    pub last_year: Option<u32>,
}

impl SimilarName {
    /// The years of its games, if they are known: `2001–2023`.
    pub fn years(&self) -> Option<String> {
        let (first, last) = (self.first_year?, self.last_year?);
        Some(if first == last { first.to_string() } else { format!("{first}–{last}") })
    }
}

/// A name that is like the misspelt one.
struct Candidate {
    changes: usize,
    /// Its row in each of the archives that are read as one.
    ids: Vec<Option<i64>>,
    found: SimilarName,
}

impl Archive {
    /// At most `most` names that are like a misspelt one: those with the fewest changed letters first, of equal ones
    /// those with most games. `None` if the archive has a name that fits the pattern.
    ///
    /// # Errors
    /// SQLite's.
    pub fn similar_names(
        &self,
        of: NameKind,
        pattern: &str,
        most: usize,
    ) -> Result<Option<Vec<SimilarName>>, ArchiveError> {
        let typed = TypedName::new(pattern);
        let has_name = |archive: &Archive| has_name(&archive.db, of, pattern).map_err(|e| archive.error(e));
        if self.ask_files(|file| has_name(&file.lock()))?.contains(&true) {
            return Ok(None);
        }
        let near = self.ask_files(|file| {
            let archive = file.lock();
            near_names(&archive.db, of, &typed).map_err(|error| archive.error(error))
        })?;
        let mut candidates = joined(near);
        candidates.sort_by_key(|name| name.changes);
        candidates.truncate(MAX_SIMILAR_NAMES);
        self.count_games(&mut candidates, |db, ids| estimates(db, of, ids))?;
        candidates.truncate(COUNTED);
        candidates.iter_mut().for_each(|name| name.found.games = 0);
        self.count_games(&mut candidates, |db, ids| spans(db, of, ids))?;
        Ok(Some(candidates.into_iter().take(most).map(|name| name.found).collect()))
    }

    /// Adds the games of each name and sorts the names by them.
    fn count_games(
        &self,
        names: &mut [Candidate],
        count: impl Fn(&Connection, &[i64]) -> rusqlite::Result<HashMap<i64, SimilarName>>,
    ) -> Result<(), ArchiveError> {
        for (number, archive) in self.each_part().enumerate() {
            let id = |name: &Candidate| name.ids.get(number).copied().flatten();
            let ids: Vec<i64> = names.iter().filter_map(id).collect();
            let counted = count(&archive.db, &ids).map_err(|error| archive.error(error))?;
            for name in names.iter_mut() {
                let Some(own) = id(name).and_then(|id| counted.get(&id)) else { continue };
                let found = &mut name.found;
                found.games += own.games;
                found.first_year = [found.first_year, own.first_year].into_iter().flatten().min();
                found.last_year = found.last_year.max(own.last_year);
            }
        }
        names.sort_by_key(|name| (name.changes, Reverse(name.found.games)));
        Ok(())
    }
}

/// Whether a name fits a pattern. Addresses are sites of which no table has the whole name: one of them may.
fn has_name(db: &Connection, of: NameKind, pattern: &str) -> rusqlite::Result<bool> {
    const ADDRESSES: &str = "SELECT EXISTS (SELECT 1 FROM tag_layout WHERE instr(slots, '\"address\"'))";
    if of == NameKind::Site && db.query_row(ADDRESSES, [], |row| row.get(0))? {
        return Ok(true);
    }
    let fits = if of == NameKind::Player { "player_matches" } else { "name_matches" };
    db.query_row(&format!("SELECT EXISTS (SELECT 1 FROM {of} WHERE {fits}(name, ?1))"), [pattern], |row| {
        row.get(0)
    })
}

/// Names that are like the one that was typed: how many letters differ, the row, the name.
fn near_names(
    db: &Connection,
    of: NameKind,
    typed: &TypedName,
) -> rusqlite::Result<Vec<(usize, i64, String)>> {
    let mut names = db.prepare_cached(&format!("SELECT id, name FROM {of}"))?;
    let mut rows = names.query([])?;
    let mut near = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str()?;
        if let Some(changes) = typed.distance(name) {
            near.push((changes, row.get(0)?, name.to_owned()));
        }
    }
    Ok(near)
}

/// The names of several archives, each once.
fn joined(near: Vec<Vec<(usize, i64, String)>>) -> Vec<Candidate> {
    let parts = near.len();
    let mut names: BTreeMap<String, Candidate> = BTreeMap::new();
    for (number, near) in near.into_iter().enumerate() {
        for (changes, id, name) in near {
            let found = SimilarName { name: name.clone(), ..SimilarName::default() };
            let new = || Candidate { changes, ids: vec![None; parts], found };
            let ids = &mut names.entry(name).or_insert_with(new).ids;
            ids.iter_mut().skip(number).take(1).for_each(|own| *own = Some(id));
        }
    }
    names.into_values().collect()
}

/// About how many games have each of some names: how many stretches of 16 ids have games of a player, how many
/// sections are of an event or a site.
fn estimates(db: &Connection, of: NameKind, ids: &[i64]) -> rusqlite::Result<HashMap<i64, SimilarName>> {
    let games = |games: u64| SimilarName { games, ..SimilarName::default() };
    if of == NameKind::Player {
        let own = |&id: &i64| Ok((id, games(buckets(db, id)?.len() as u64)));
        return ids.iter().map(own).collect();
    }
    let sql = format!(
        "SELECT {of}, count(*) FROM section WHERE {of} IN (SELECT value FROM json_each(?1)) GROUP BY {of}"
    );
    let mut find = db.prepare_cached(&sql)?;
    let own = |row: &Row<'_>| Ok((row.get(0)?, games(row.get::<_, i64>(1)?.cast_unsigned())));
    find.query_map([json(&ids)], own)?.collect()
}

/// How many games have each of some names, and in which years.
fn spans(db: &Connection, of: NameKind, ids: &[i64]) -> rusqlite::Result<HashMap<i64, SimilarName>> {
    const SPAN: &str = "count(*), min(nullif(section.date >> 9, 0)), max(nullif(section.date >> 9, 0))";
    let span = |row: &Row<'_>| {
        let (games, first_year, last_year) = (row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?);
        let found = SimilarName { name: String::new(), games: games.cast_unsigned(), first_year, last_year };
        Ok((row.get(0)?, found))
    };
    if of == NameKind::Player {
        let sql = format!(
            "SELECT ?2, {SPAN} FROM json_each(?1) AS wanted
             CROSS JOIN game ON game.id BETWEEN wanted.value << 4 AND wanted.value << 4 | 15
             CROSS JOIN section ON section.id = game.section
             WHERE game.white = ?2 OR game.black = ?2"
        );
        let mut find = db.prepare_cached(&sql)?;
        let own = |&id: &i64| find.query_row(params![json(&buckets(db, id)?), id], span);
        return ids.iter().map(own).collect();
    }
    let sql = format!(
        "SELECT section.{of}, {SPAN} FROM game CROSS JOIN section ON section.id = game.section
         WHERE game.section IN (SELECT id FROM section WHERE {of} IN (SELECT value FROM json_each(?1)))
         GROUP BY section.{of}"
    );
    db.prepare_cached(&sql)?.query_map([json(&ids)], span)?.collect()
}
