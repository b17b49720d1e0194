//! Selecting and sorting games.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive, sync::Arc};

use plybook_chess::rules::Outcome;
use plybook_index::position_index::Speed;
use plybook_record::{GameId, GameKind, GameRange, result_number};

/// Conditions that a game must all meet; names match as described in [`matches`](crate::archive::matches).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// White or Black, as a pattern.
    pub player: Option<String>,
    /// The other player, of either colour, as a pattern.
    pub opponent: Option<String>,
    /// White, as a pattern.
    pub white: Option<String>,
    /// Black, as a pattern.
    pub black: Option<String>,
    /// The event, as a pattern.
    pub event: Option<String>,
    /// The site, as a pattern.
    pub site: Option<String>,
    /// The source the game was imported from, as a pattern.
    pub source: Option<String>,
    /// Numbers of the game, each in one of several ranges.
    pub numbers: Vec<(GameNumber, Vec<RangeInclusive<u32>>)>,
    /// The allowed results of the [player](Filter::player)'s games with White, and of those with Black: 1-0 and 0-1 are
    /// the games that the player won.
    pub player_results: Option<[Outcome; 2]>,
    /// Any of these speeds, from the TimeControl tag; without that tag a game is classical.
    pub speed: Option<BTreeSet<Speed>>,
    /// Whether the game is casual, that is, the name of its event begins with "casual"; otherwise it is rated.
    pub casual: Option<bool>,
    /// The variant, or Xelto.
    pub kind: Option<GameKind>,
    /// Only chess and its variants.
    pub chess: bool,
    /// The ids.
    pub ids: Option<RangeInclusive<GameId>>,
    /// Only these games.
    pub among: Option<GameSet>,
    /// The order.
    pub sort: Sort,
    /// Reverse the order.
    pub descending: bool,
    /// The maximum number of games.
    pub limit: Option<u64>,
    /// The number of games to skip.
    pub offset: u64,
}

/// The sort key of games; equal ones are sorted by id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The order of import.
    #[default]
    Id,
    /// The date.
    Date,
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// The event's name.
    Event,
    /// The site's name.
    Site,
    /// The mean of the ratings.
    Elo,
    /// The ECO code.
    Eco,
    /// The result.
    Result,
    /// The number of plies.
    Plies,
    /// The bytes of the encoded moves.
    Bytes,
}

impl Sort {
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Sort::Id => "game.id",
            Sort::Date => "nullif(section.date, 0)",
            Sort::White => "(SELECT name FROM player WHERE id = game.white)",
            Sort::Black => "(SELECT name FROM player WHERE id = game.black)",
            Sort::Event => "(SELECT name FROM event WHERE id = section.event)",
            Sort::Site => "(SELECT name FROM site WHERE id = section.site)",
            Sort::Elo => "(coalesce(game.white_elo, 0) + coalesce(game.black_elo, 0))",
            Sort::Eco => "game.eco",
            Sort::Result => "game.result",
            Sort::Plies => "game.plies",
            Sort::Bytes => "length(game.moves)",
        }
    }
}

impl Filter {
    /// Adds a condition: a number in a range.
    #[must_use]
    pub fn in_range(mut self, number: GameNumber, range: RangeInclusive<u32>) -> Filter {
        self.numbers.push((number, vec![range]));
        self
    }

    /// Adds a condition: the result.
    #[must_use]
    pub fn with_result(mut self, result: Outcome) -> Filter {
        self.add_result(result);
        self
    }

    /// Adds a condition: the result.
    pub fn add_result(&mut self, result: Outcome) {
        // There are four results.
        let number = result_number(result).unsigned_abs() as u32;
        self.numbers.push((GameNumber::Result, vec![number..=number]));
    }

    /// The same, limited to a range of ids; `None` if the filter excludes all of them.
    pub fn within(&self, range: GameRange) -> Option<Filter> {
        let asked = self.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let ids = range.start.max(*asked.start())..=range.last.min(*asked.end());
        (!ids.is_empty()).then(|| Filter { ids: Some(ids), ..self.clone() })
    }

    /// The same filter for the games of a set; `None` if there are none.
    pub fn among(&self, games: &GameSet) -> Option<Filter> {
        let passes = |id: &&GameId| {
            self.among.as_ref().is_none_or(|among| among.contains(**id))
                && self.ids.as_ref().is_none_or(|ids| ids.contains(id))
        };
        let both: GameSet = games.ids().iter().filter(passes).copied().collect();
        (!both.is_empty()).then(|| Filter { among: Some(both), ..self.clone() })
    }

    /// Whether games are returned in the order of ids and are found without scanning names first, so that reading them
    /// in batches costs no more than reading them at once.
    pub(in crate::archive) fn is_keyset_pageable(&self) -> bool {
        let patterns =
            [&self.player, &self.opponent, &self.white, &self.black, &self.event, &self.site, &self.source];
        let has_sections = self.speed.is_some() || self.casual.is_some();
        let is_found_by_id =
            self.among.is_none() && !has_sections && patterns.iter().all(|pattern| pattern.is_none());
        self.is_in_order() && self.offset == 0 && is_found_by_id
    }

    /// Whether games are returned in the order of ids.
    pub(in crate::archive) fn is_in_order(&self) -> bool {
        self.sort == Sort::Id && !self.descending
    }

    /// The patterns of players: either colour, the opponent, White, Black.
    pub(in crate::archive) fn players(&self) -> [Option<&str>; 4] {
        [&self.player, &self.opponent, &self.white, &self.black].map(Option::as_deref)
    }

    /// Whether the filter excludes any games.
    pub(super) fn has_conditions(&self) -> bool {
        let Filter { sort, descending, limit, offset, .. } = *self;
        *self != Filter { sort, descending, limit, offset, ..Filter::default() }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A number in the row of a game or of its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameNumber {
    /// The packed date (see [`Date::packed`](plybook_chess::chess::Date::packed)).
    Date,
    /// The rating of White.
    WhiteElo,
    /// The rating of Black.
    BlackElo,
    /// The code of the ECO tag, A00 = 0 to E99 = 499.
    Eco,
    /// The result, encoded as in [`result_number`](plybook_record::result_number).
    Result,
    /// The number of plies.
    Plies,
    /// The number of the import that added the game: the id of its first source.
    Import,
    /// The day of the import that added the game, in the time zone of this machine, packed like a date.
    DayOfImport,
}

impl GameNumber {
    pub(super) const fn sql(self) -> &'static str {
        match self {
            GameNumber::Date => "section.date",
            GameNumber::WhiteElo => "game.white_elo",
            GameNumber::BlackElo => "game.black_elo",
            GameNumber::Eco => "game.eco",
            GameNumber::Result => "game.result",
            GameNumber::Plies => "game.plies",
            GameNumber::Import => {
                "(SELECT (SELECT min(id) FROM source AS other WHERE other.imported = source.imported)
                  FROM source_span JOIN source ON source.id = source_span.source
                  WHERE first_game <= game.id ORDER BY first_game DESC LIMIT 1)"
            }
            GameNumber::DayOfImport => {
                "(SELECT strftime('%Y', imported, 'localtime') * 512 + strftime('%m', imported, 'localtime') * 32
                         + strftime('%d', imported, 'localtime')
                  FROM source_span JOIN source ON source.id = source_span.source
                  WHERE first_game <= game.id ORDER BY first_game DESC LIMIT 1)"
            }
        }
    }
}

/// Merges adjacent ranges, because SQLite limits the number of conditions.
pub(super) fn merged(ranges: &[RangeInclusive<u32>]) -> Vec<RangeInclusive<u32>> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<u32>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*range.end().max(last.end());
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// A set of games of an archive. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSet(Arc<[GameId]>);

impl GameSet {
    /// Their ids, in order.
    pub fn ids(&self) -> &[GameId] {
        &self.0
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it contains a game.
    pub fn contains(&self, id: GameId) -> bool {
        self.0.binary_search(&id).is_ok()
    }

    /// A function that finds a game: its place in [`ids`](Self::ids), if the set contains it. It takes constant time
    /// for ids in order.
    pub fn finder(&self) -> impl FnMut(GameId) -> Option<usize> {
        let mut next = 0;
        move |id| {
            let place = if self.0.get(next) == Some(&id) { next } else { self.0.binary_search(&id).ok()? };
            next = place + 1;
            Some(place)
        }
    }
}

impl FromIterator<GameId> for GameSet {
    fn from_iter<I: IntoIterator<Item = GameId>>(ids: I) -> GameSet {
        let mut ids: Vec<GameId> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        GameSet(ids.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Summary};

    #[test]
    fn sets_of_games_support_every_order_and_condition() {
        let folder = tempfile::tempdir().unwrap();
        let game = |number: usize| {
            let (white, elo) = (["Tal", "Fischer", "Karpov"][number % 3], 2000 + number * 7919 % 600);
            format!("[Event \"{number}\"]\n[White \"{white}\"]\n[WhiteElo \"{elo}\"]\n\n1. e4 *\n\n")
        };
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&pgn, (1..=3000).map(game).collect::<String>()).unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let sets = [0, 1, 2, 7].map(|step| -> GameSet {
            let ids = (1..=4000).rev().filter(|id| step > 0 && id % step == 0);
            ids.chain([-5, 0, GameId::MAX]).collect()
        });
        let found = |filter: &Filter| -> Vec<GameId> {
            archive.list::<Summary>(filter).map(|game| game.unwrap().id).collect()
        };
        for (sort, descending, player) in [
            (Sort::Id, false, None),
            (Sort::Id, true, None),
            (Sort::White, false, Some("tal".to_owned())),
            (Sort::Elo, true, None),
            (Sort::Id, false, Some("*a*".to_owned())),
        ] {
            let all = Filter { sort, descending, player, ids: Some(3..=2990), ..Filter::default() };
            let every = found(&all);
            for set in &sets {
                for (offset, limit) in
                    [(0, None), (5, Some(10)), (1100, Some(100)), (0, Some(0)), (9999, None)]
                {
                    let some = Filter { among: Some(set.clone()), offset, limit, ..all.clone() };
                    let those = every.iter().copied().filter(|id| set.contains(*id));
                    let page = usize::try_from(limit.unwrap_or(u64::MAX)).unwrap();
                    let expected: Vec<GameId> =
                        those.skip(usize::try_from(offset).unwrap()).take(page).collect();
                    assert_eq!(found(&some), expected, "{some:?}");
                }
            }
        }
        assert_eq!((sets[0].len(), sets[1].len(), sets[0].is_empty()), (3, 4003, false));
    }

    #[test]
    fn a_finder_finds_the_place_of_games_in_any_order() {
        let set: GameSet = (1..=100).map(|id| id * 3).collect();
        let asked = (0..400).chain([90, 3, 3, 300, 299, 6, 9]).chain((0..400).rev().step_by(7));
        let mut place = set.finder();
        for id in asked {
            assert_eq!(place(id), set.ids().iter().position(|of| *of == id), "{id}");
        }
    }
}
