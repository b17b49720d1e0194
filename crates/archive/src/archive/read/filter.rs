//! Which games, in which order.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive};

use super::{GameSet, game_number::GameNumber};
use plybook_chess::rules::Outcome;
use plybook_index::position_index::Speed;
use plybook_record::{GameId, GameKind, result_number};

/// Conditions that a game must meet, all of them; names match as [`matches`](crate::archive::matches) says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// White or Black, as a pattern.
    pub player: Option<String>,
    /// The other player, whichever colour, as a pattern.
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
    /// Numbers of the game, each in one of some ranges.
    pub numbers: Vec<(GameNumber, Vec<RangeInclusive<u32>>)>,
    /// The results of the [player](Filter::player)'s games with White, and of those with Black: 1-0 and 0-1 are the games
    /// that the player won.
    pub player_results: Option<[Outcome; 2]>,
    /// Any of these speeds, by the TimeControl tag; without one a game is classical.
    pub speed: Option<BTreeSet<Speed>>,
    /// Whether the game was casual, which it was if the name of the event begins with "casual"; else it was rated.
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
    /// The other way round.
    pub descending: bool,
    /// At most so many games.
    pub limit: Option<u64>,
    /// Without the first so many.
    pub offset: u64,
}

/// What games are sorted by; equal ones by id.
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
    /// The opening code.
    Eco,
    /// The result.
    Result,
    /// The number of plies.
    Plies,
    /// The bytes of the integer.
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
    /// The same with a condition more: a number in a range.
    #[must_use]
    pub fn in_range(mut self, number: GameNumber, range: RangeInclusive<u32>) -> Filter {
        self.numbers.push((number, vec![range]));
        self
    }

    /// The same with a condition more: the result.
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

    /// The same for games with some ids only; `None` if none of them is asked for.
    pub fn within(&self, (first, last): (GameId, GameId)) -> Option<Filter> {
        let asked = self.ids.clone().unwrap_or(GameId::MIN..=GameId::MAX);
        let ids = first.max(*asked.start())..=last.min(*asked.end());
        (!ids.is_empty()).then(|| Filter { ids: Some(ids), ..self.clone() })
    }

    /// Whether games come in the order of ids and are found without looking through names first, so that
    /// asking for them in batches costs no more than asking once.
    pub(in crate::archive) fn is_keyset_pageable(&self) -> bool {
        let patterns =
            [&self.player, &self.opponent, &self.white, &self.black, &self.event, &self.site, &self.source];
        let has_sections = self.speed.is_some() || self.casual.is_some();
        let is_found_by_id =
            self.among.is_none() && !has_sections && patterns.iter().all(|pattern| pattern.is_none());
        self.is_in_order() && self.offset == 0 && is_found_by_id
    }

    /// Whether games come in the order of ids.
    pub(in crate::archive) fn is_in_order(&self) -> bool {
        self.sort == Sort::Id && !self.descending
    }

    /// The patterns of players: either, the other one, White, Black.
    pub(in crate::archive) fn players(&self) -> [Option<&str>; 4] {
        [&self.player, &self.opponent, &self.white, &self.black].map(Option::as_deref)
    }

    /// Whether not every game passes.
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
