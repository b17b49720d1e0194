//! Selecting games without reading them.
//!
//! An entire list is sorted here: SQLite returns one number per game in the order of ids. That takes a quarter of the
//! time SQLite would need, and each name is compared only once instead of once per game of a player.

use std::{cmp::Reverse, collections::HashMap};

use rusqlite::Connection;

use super::{Filter, GameSet, Names, Sort, resolved_filter::ResolvedFilter};
use crate::archive::{Archive, Result, bounded::Bounded, integers::integers};
use plybook_record::GameId;

/// A set of games is found by scanning all games that pass the other conditions if it contains at least this fraction
/// of them: looking up a game costs this many times as much as scanning it.
const COSTS_AS: usize = 4;

/// The names of players in their order.
const PLAYERS: &str = "SELECT id, name FROM player ORDER BY name";

/// A sort key of games.
struct Key {
    /// Its column.
    column: &'static str,
    /// Replaces the value of the column: the sort position of a name, or a date.
    means: Option<HashMap<i64, i64>>,
}

impl Archive {
    /// The ids of all games that pass the conditions of a filter, in its order, ignoring its limit and offset. Faster
    /// than [`Archive::list`](crate::archive::Archive::list) of ids, but all in memory.
    pub fn sorted_ids(&self, filter: &Filter) -> Result<Vec<GameId>> {
        if !self.is_one() {
            return self.list::<GameId>(&Filter { limit: None, offset: 0, ..filter.clone() }).collect();
        }
        let last = usize::try_from(self.last_id()?).unwrap_or(0);
        let is_large = |among: &&GameSet| among.len() >= last / COSTS_AS;
        let among = filter.among.as_ref().filter(is_large);
        let asked = Filter {
            sort: Sort::Id,
            descending: false,
            limit: None,
            offset: 0,
            among: if among.is_some() { None } else { filter.among.clone() },
            ..filter.clone()
        };
        self.db.attempt(|db| {
            let key = Key::of(db, filter.sort)?;
            let mut found = key.read(db, &asked)?;
            if let Some(among) = among {
                let mut ids = among.ids().iter().copied().peekable();
                found.retain(|(_, id)| {
                    while ids.next_if(|other| other < id).is_some() {}
                    ids.next_if_eq(id).is_some()
                });
            }
            Ok(in_order(found, filter))
        })
    }

    /// A filter for at most `games` of the games that pass another filter, evenly spread.
    pub fn sample(&self, filter: &Filter, games: u64) -> Result<Filter> {
        let all: Vec<GameId> = self.list::<GameId>(filter).collect::<Result<_, _>>()?;
        let chosen = (0..).zip(&all).filter(|(place, _)| is_chosen(*place, games, all.len() as u64));
        let among: GameSet = chosen.map(|(_, id)| *id).collect();
        Ok(Filter { among: Some(among), limit: None, offset: 0, ..filter.clone() })
    }

    /// Whether any game may have a tag with this name, ignoring case.
    pub fn has_tag(&self, name: &str) -> Result<bool> {
        let sql = "SELECT EXISTS (
            SELECT 1 FROM tag_layout, json_each(names) AS tag WHERE tag.value = ?1 COLLATE NOCASE
        )";
        for archive in self.files().each() {
            if archive.db.attempt(|db| db.prepare_cached(sql)?.query_row([name], |row| row.get(0)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The games with comments, glyphs or variations.
    pub fn annotated(&self) -> Result<GameSet> {
        let mut games = Vec::new();
        for file in self.files().all() {
            let own = file.lock().db.attempt(|db| integers(db, "SELECT game FROM annotation", []))?;
            games.extend(own.into_iter().filter_map(|id| file.id_for_all(id)));
        }
        Ok(games.into_iter().collect())
    }
}

impl Names<'_> {
    /// The sort positions of the names of players by their ids, starting at 1; equal names have the same.
    pub fn places(self) -> Result<HashMap<i64, u32>> {
        let db = &self.archive.db;
        let places = places(db, PLAYERS).map_err(|error| db.error(error))?;
        Ok(places.into_iter().map(|(id, place)| (id, u32::try_from(place).unwrap_or(u32::MAX))).collect())
    }
}

impl Key {
    fn of(db: &Connection, sort: Sort) -> rusqlite::Result<Key> {
        let by = |column, names| Ok(Key { column, means: Some(places(db, names)?) });
        match sort {
            Sort::White => by("game.white", PLAYERS),
            Sort::Black => by("game.black", PLAYERS),
            Sort::Event => by(
                "game.section",
                "SELECT section.id, name FROM section JOIN event ON event.id = event ORDER BY name",
            ),
            Sort::Site => by(
                "game.section",
                "SELECT section.id, name FROM section JOIN site ON site.id = site ORDER BY name",
            ),
            Sort::Date => {
                let mut dates = db.prepare_cached("SELECT id, date FROM section WHERE date <> 0")?;
                let dates = dates.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(Key { column: "game.section", means: Some(dates.collect::<Result<_, _>>()?) })
            }
            _ => Ok(Key { column: sort.sql(), means: None }),
        }
    }

    /// Games in the order of their ids, each with its number.
    fn read(&self, db: &Bounded, filter: &Filter) -> rusqlite::Result<Vec<(Option<i64>, GameId)>> {
        let (sql, values) =
            filter.query(&ResolvedFilter::of(db, filter)?, &format!("game.id, {}", self.column), "");
        let mut statement = db.prepare_cached(&sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let number: Option<i64> = row.get(1)?;
            let number = match &self.means {
                Some(means) => number.and_then(|number| means.get(&number).copied()),
                None => number,
            };
            found.push((number, row.get(0)?));
        }
        Ok(found)
    }
}

/// The sort positions of names by row id; equal names have the same.
fn places(db: &Connection, names: &str) -> rusqlite::Result<HashMap<i64, i64>> {
    let mut statement = db.prepare_cached(names)?;
    let mut rows = statement.query([])?;
    let (mut places, mut place, mut last) = (HashMap::new(), 0, String::new());
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str()?;
        if name != last {
            place += 1;
            name.clone_into(&mut last);
        }
        places.insert(row.get(0)?, place);
    }
    Ok(places)
}

/// Sorts games as in a filter: unknown values last, equal ones by id.
fn in_order(mut found: Vec<(Option<i64>, GameId)>, filter: &Filter) -> Vec<GameId> {
    match (filter.sort, filter.descending) {
        (Sort::Id, false) => {}
        (Sort::Id, true) => found.reverse(),
        (_, false) => found.sort_unstable_by_key(|(number, id)| (number.is_none(), *number, *id)),
        // `None` sorts before every number.
        (_, true) => found.sort_unstable_by_key(|(number, id)| (Reverse(*number), *id)),
    }
    found.into_iter().map(|(_, id)| id).collect()
}

/// Whether the game at a 0-based index is one of `sample` evenly spread over `games`.
fn is_chosen(place: u64, sample: u64, games: u64) -> bool {
    let before = |place: u64| u128::from(place) * u128::from(sample) / u128::from(games.max(1));
    before(place) != before(place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_at_once_equals_paging() {
        let folder = tempfile::tempdir().unwrap();
        let tag = |name: &str, number: usize, values: usize| match number % values {
            0 => String::new(),
            value => format!("[{name} \"{}\"]\n", value * 7919 % values),
        };
        let game = |number: usize| {
            let tags = [("Event", 40), ("Site", 11), ("White", 37), ("Black", 101), ("Round", 1501)];
            let tags: String = tags.iter().map(|(name, values)| tag(name, number, *values)).collect();
            let elo = |name, values| tag(name, 1000 + number, values);
            let date = ["", "[Date \"????.??.??\"]\n", "[Date \"1999.05.??\"]\n", "[Date \"1970.01.02\"]\n"];
            let (date, elos) = (date[number / 7 % 4], [elo("WhiteElo", 997), elo("BlackElo", 13)].concat());
            let moves = ["1. e4 1-0", "1. d4 d5 *", "1. e4 e5 2. f4 0-1"][number % 3];
            format!("{tags}{date}{elos}[ECO \"A{:02}\"]\n\n{moves}\n\n", number % 71)
        };
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&pgn, (0..1500).map(game).collect::<String>()).unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let sets = [2, 100, 5000].map(|step| (1..=2000).filter(|id| id % step == 0).collect::<GameSet>());
        let conditions = [
            Filter::default(),
            Filter { player: Some("1*".to_owned()), ..Filter::default() },
            Filter { event: Some("3*".to_owned()), ids: Some(7..=1200), ..Filter::default() },
        ];
        for sort in [
            Sort::Id,
            Sort::Date,
            Sort::White,
            Sort::Black,
            Sort::Event,
            Sort::Site,
            Sort::Elo,
            Sort::Eco,
            Sort::Result,
            Sort::Plies,
            Sort::Bytes,
        ] {
            for among in [None].into_iter().chain(sets.clone().map(Some)) {
                for (part, descending) in conditions.iter().flat_map(|part| [(part, false), (part, true)]) {
                    let filter = Filter { sort, descending, among: among.clone(), ..part.clone() };
                    let expected: Vec<GameId> = archive.list::<GameId>(&filter).map(Result::unwrap).collect();
                    assert_eq!(archive.sorted_ids(&filter).unwrap(), expected, "{filter:?}");
                }
            }
        }
    }

    #[test]
    fn samples_have_the_requested_size_and_are_evenly_spread() {
        for (sample, games) in [(0, 5), (1, 5), (3, 10), (10, 10), (99, 10), (7, 1000)] {
            let chosen: Vec<u64> =
                (0..games).filter(|&place| super::is_chosen(place, sample, games)).collect();
            assert_eq!(chosen.len() as u64, sample.min(games));
            let gaps = chosen.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.clone().max() <= gaps.min().map(|least| least + 1));
        }
    }
}
