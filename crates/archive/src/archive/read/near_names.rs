//! Names that match or resemble what a user typed, with their numbers of games: for queries without results because no
//! game has that name, and for ambiguous names.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use plybook_chess::near_name::TypedName;
use rusqlite::{Connection, Row, params};

use super::{
    names::CountedName,
    resolved_filter::{buckets, json},
};
use crate::archive::{NameKind, Names, Result, bounded::Bounded, checksum::has_changes, integers::integers};
use plybook_chess::{
    limits::MAX_SIMILAR_NAMES, name_pattern::Pattern, name_start::NameStart, player_name::PlayerPattern,
};

/// Number of additional players to count, because the estimate may rank them wrongly.
const MARGIN: usize = 5;

/// A name that resembles the typed one.
struct Candidate {
    /// Its distance from the typed name; 0 is nearest.
    distance: usize,
    /// Its row in each of the archives that are read as one.
    ids: Vec<Option<i64>>,
    found: CountedName,
}

impl Names<'_> {
    /// At most `most` names that resemble a misspelt one: fewest changed letters first, then most games. `None` if the
    /// archive has a name that matches the pattern.
    pub fn similar(self, of: NameKind, pattern: &str, most: usize) -> Result<Option<Vec<CountedName>>> {
        if self.archive.files().query(|db| has_name(db, of, pattern))?.contains(&true) {
            return Ok(None);
        }
        let typed = TypedName::new(pattern);
        self.nearest(of, |name| typed.distance(name), most).map(Some)
    }

    /// At most `most` players whose names do not match a pattern but may be misspellings of a matching name.
    pub fn players_beside(self, pattern: &str, most: usize) -> Result<Vec<CountedName>> {
        let similar = self.archive.files().query(|db| {
            let named = db.named.of(db, pattern)?;
            Ok(named.similar.iter().map(|(id, name)| (0, *id, name.clone())).collect())
        })?;
        self.most_used(NameKind::Player, first_of(similar, most), most)
    }

    /// At most `most` names that match a pattern or resemble it: matching names first, then those with the fewest
    /// changed letters, then those with most games.
    pub fn near(self, of: NameKind, pattern: &str, most: usize) -> Result<Vec<CountedName>> {
        let typed = TypedName::new(pattern);
        if of == NameKind::Player {
            let pattern = PlayerPattern::new(pattern);
            let like = |name: &str| {
                let changes = typed.distance(name)?;
                Some(if pattern.is_similar_to(name) { 1 } else { changes + 2 })
            };
            return self.nearest(of, |name| if pattern.fits(name) { Some(0) } else { like(name) }, most);
        }
        let pattern = Pattern::new(pattern);
        let like = |name: &str| typed.distance(name).map(|changes| changes + 1);
        self.nearest(of, |name| if pattern.fits(name) { Some(0) } else { like(name) }, most)
    }

    /// At most `most` names whose words begin with those of a text: [best fits](NameStart) first, then those with most
    /// games.
    pub fn completions(self, of: NameKind, begin: &str, most: usize) -> Result<Vec<CountedName>> {
        let begin = NameStart::new(begin);
        self.nearest(of, |name| begin.fit(name).map(|fit| fit as usize), most)
    }

    /// The same for events, without counting their games: those with most dates and sites first. `games` is 0.
    pub fn events_begun(self, begin: &str, most: usize) -> Result<Vec<CountedName>> {
        let begin = NameStart::new(begin);
        let mut found =
            self.near_by(NameKind::Event, |name| begin.fit(name).map(|fit| fit as usize), most)?;
        self.count_games(&mut found, spans_of_sections)?;
        let used = found.into_iter().map(|name| name.found).filter(|name| name.games > 0);
        Ok(used.take(most).map(|name| CountedName { games: 0, ..name }).collect())
    }

    /// The nearest names by a distance, which is `None` for names that are too far.
    fn nearest(
        self,
        of: NameKind,
        distance: impl Fn(&str) -> Option<usize> + Sync,
        most: usize,
    ) -> Result<Vec<CountedName>> {
        self.most_used(of, self.near_by(of, distance, most)?, most)
    }

    /// Those of the candidates that are used: by distance, then those with most games.
    fn most_used(
        self,
        of: NameKind,
        mut candidates: Vec<Candidate>,
        most: usize,
    ) -> Result<Vec<CountedName>> {
        if of == NameKind::Player && candidates.len() > most + MARGIN {
            // Counting reads every game of a player, so players with few games are first excluded by an estimate.
            self.count_games(&mut candidates, estimates)?;
            candidates.truncate(most + MARGIN);
            candidates.iter_mut().for_each(|name| name.found.games = 0);
        }
        self.count_games(&mut candidates, |db, ids| spans(db, of, ids))?;
        // After a change, a name may have no games.
        let used = candidates.into_iter().map(|name| name.found).filter(|name| name.games > 0);
        Ok(used.take(most).collect())
    }

    /// The candidates for the nearest names, with those by distance first.
    fn near_by(
        self,
        of: NameKind,
        distance: impl Fn(&str) -> Option<usize> + Sync,
        most: usize,
    ) -> Result<Vec<Candidate>> {
        Ok(first_of(self.archive.files().query(|db| near_names(db, of, &distance))?, most))
    }

    /// Adds the games of each name, and sorts the names by them.
    fn count_games(
        self,
        names: &mut [Candidate],
        count: impl Fn(&Connection, &[i64]) -> rusqlite::Result<HashMap<i64, CountedName>>,
    ) -> Result<()> {
        for (number, archive) in self.archive.files().each().enumerate() {
            let id = |name: &Candidate| name.ids.get(number).copied().flatten();
            let ids: Vec<i64> = names.iter().filter_map(id).collect();
            let counted = archive.db.attempt(|db| count(db, &ids))?;
            for name in names.iter_mut() {
                let Some(own) = id(name).and_then(|id| counted.get(&id)) else { continue };
                let found = &mut name.found;
                found.games += own.games;
                found.first_year = [found.first_year, own.first_year].into_iter().flatten().min();
                found.last_year = found.last_year.max(own.last_year);
            }
        }
        names.sort_by_key(|name| (name.distance, Reverse(name.found.games)));
        Ok(())
    }
}

/// Whether a name matches a pattern. The complete names of sites that are URLs are in no table: one of them may match.
fn has_name(db: &Bounded, of: NameKind, pattern: &str) -> rusqlite::Result<bool> {
    const ADDRESSES: &str = "SELECT EXISTS (SELECT 1 FROM tag_layout WHERE instr(slots, '\"address\"'))";
    if of == NameKind::Site && db.query_row(ADDRESSES, [], |row| row.get(0))? {
        return Ok(true);
    }
    let named = match of {
        NameKind::Player => db.named.ids(db, pattern)?,
        _ => integers(db, &format!("SELECT id FROM {of} WHERE name_matches(name, ?1)"), [pattern])?,
    };
    Ok(match has_changes(db)? {
        true => spans(db, of, &named)?.values().any(|name| name.games > 0),
        false => !named.is_empty(),
    })
}

/// A near name: distance, row and name.
type NearName = (usize, i64, String);

/// The near names of a file.
fn near_names(
    db: &Connection,
    of: NameKind,
    distance: impl Fn(&str) -> Option<usize>,
) -> rusqlite::Result<Vec<NearName>> {
    let mut names = db.prepare_cached(&format!("SELECT id, name FROM {of} WHERE name <> ''"))?;
    let mut rows = names.query([])?;
    let mut near = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str()?;
        if let Some(distance) = distance(name) {
            near.push((distance, row.get(0)?, name.to_owned()));
        }
    }
    Ok(near)
}

/// The candidates for the nearest names of several archives, those by distance first.
fn first_of(near: Vec<Vec<NearName>>, most: usize) -> Vec<Candidate> {
    let mut candidates = joined(near);
    candidates.sort_by_key(|name| name.distance);
    candidates.truncate(MAX_SIMILAR_NAMES.max(most));
    candidates
}

/// The names of several archives without duplicates.
fn joined(near: Vec<Vec<NearName>>) -> Vec<Candidate> {
    let parts = near.len();
    let mut names: BTreeMap<String, Candidate> = BTreeMap::new();
    for (number, near) in near.into_iter().enumerate() {
        for (distance, id, name) in near {
            let found = CountedName { name: name.clone(), ..CountedName::default() };
            let new = || Candidate { distance, ids: vec![None; parts], found };
            let ids = &mut names.entry(name).or_insert_with(new).ids;
            ids.iter_mut().skip(number).take(1).for_each(|own| *own = Some(id));
        }
    }
    names.into_values().collect()
}

/// Estimates the number of games of some players: the number of ranges of 16 ids in which they have any.
fn estimates(db: &Connection, players: &[i64]) -> rusqlite::Result<HashMap<i64, CountedName>> {
    let own = |&id: &i64| {
        let games = buckets(db, id)?.len() as u64;
        Ok((id, CountedName { games, ..CountedName::default() }))
    };
    players.iter().map(own).collect()
}

/// The number of games with each of some names, and their years.
fn spans(db: &Connection, of: NameKind, ids: &[i64]) -> rusqlite::Result<HashMap<i64, CountedName>> {
    const SPAN: &str = "count(*), min(nullif(section.date >> 9, 0)), max(nullif(section.date >> 9, 0))";
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

/// The number of sections with each of some events, and their years: an estimate that reads no games.
fn spans_of_sections(db: &Connection, events: &[i64]) -> rusqlite::Result<HashMap<i64, CountedName>> {
    const SPANS: &str =
        "SELECT event, count(*), min(nullif(date >> 9, 0)), max(nullif(date >> 9, 0)) FROM section
         WHERE event IN (SELECT value FROM json_each(?1)) GROUP BY event";
    db.prepare_cached(SPANS)?.query_map([json(&events)], span)?.collect()
}

/// A row of a name: its id, its number of games, and its years.
fn span(row: &Row<'_>) -> rusqlite::Result<(i64, CountedName)> {
    let (games, first_year, last_year) = (row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?);
    let found = CountedName { name: String::new(), games: games.cast_unsigned(), first_year, last_year };
    Ok((row.get(0)?, found))
}
