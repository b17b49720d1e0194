//! Selecting and sorting games.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive};

use super::{GameSet, game_number::GameNumber};
use plybook_chess::rules::Outcome;
use plybook_index::position_index::Speed;
use plybook_record::{GameId, GameKind, result_number};

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
    pub fn within(&self, (first, last): (GameId, GameId)) -> Option<Filter> {
        let asked = self.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let ids = first.max(*asked.start())..=last.min(*asked.end());
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
