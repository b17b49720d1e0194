//! The games that know a position: how many there are, and the best of them.

use std::cmp::Reverse;

use super::GameOrder;
use crate::record::{GameFacts, GameId};

/// Games that reach a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::query) struct Known {
    pub games: u64,
    /// The best of them, at most so many.
    best: Vec<Rated>,
    most: usize,
}

/// A game by what makes it worth naming: the sum of both ratings (0 if one is not known), of equal ones the latest.
type Rated = Reverse<(u32, GameOrder)>;

impl Known {
    pub(in crate::query) fn naming(most: usize) -> Known {
        Known { most, ..Known::default() }
    }

    pub(in crate::query) fn add(&mut self, game: &GameFacts) {
        self.games += 1;
        let elo = game.white_elo.zip(game.black_elo).map_or(0, |(white, black)| white.saturating_add(black));
        let rated = Reverse((elo, GameOrder::of(game)));
        let place = self.best.partition_point(|other| *other < rated);
        if place < self.most {
            self.best.insert(place, rated);
            self.best.truncate(self.most);
        }
    }

    /// The numbers of the best games, the best first.
    pub(in crate::query) fn best(&self) -> Vec<GameId> {
        self.best.iter().map(|Reverse((_, order))| order.id()).collect()
    }
}
