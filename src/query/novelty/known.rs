//! The games that reach a position: their number, and the best of them.

use std::cmp::Reverse;

use super::GameOrder;
use crate::record::{GameId, GameMetadata};

/// Games that reach a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::query) struct EarlierGames {
    pub games: u64,
    /// The best of them, up to a limit.
    best: Vec<Rated>,
    most: usize,
}

/// A game by its rank in the list: the sum of ratings (0 if one is unknown), then the latest.
type Rated = Reverse<(u32, GameOrder)>;

impl EarlierGames {
    pub(in crate::query) fn naming(most: usize) -> EarlierGames {
        EarlierGames { most, ..EarlierGames::default() }
    }

    pub(in crate::query) fn add(&mut self, game: &GameMetadata) {
        self.games += 1;
        let elo = game.white_elo.zip(game.black_elo).map_or(0, |(white, black)| white.saturating_add(black));
        let rated = Reverse((elo, GameOrder::of(game)));
        let place = self.best.partition_point(|other| *other < rated);
        if place < self.most {
            self.best.insert(place, rated);
            self.best.truncate(self.most);
        }
    }

    /// The ids of the best games, best first.
    pub(in crate::query) fn best(&self) -> Vec<GameId> {
        self.best.iter().map(|Reverse((_, order))| order.id()).collect()
    }
}
