//! The chronological order of games, which games count as others for a game, and the best of them.

use crate::{
    chess::Date,
    query::Top,
    record::{GameId, GameMetadata},
};

/// The place of a game in chronological order: by date as in `games --sort date`, then by id. An unknown part of a date
/// comes before all known ones; a game without any date comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameOrder {
    date: u32,
    id: GameId,
}

/// The games that a game is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) enum Others {
    /// Earlier games.
    Before(GameOrder),
    /// All games except itself.
    AllBut(Option<GameId>),
}

/// The first two of some games: enough to tell whether there is one before a game, or one other than it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::query) struct FirstTwo([Option<GameOrder>; 2]);

impl GameOrder {
    /// From the date of a game.
    pub fn new(date: Date, id: GameId) -> GameOrder {
        // A date whose parts are all unknown is packed as 0.
        GameOrder { date: date.packed().checked_sub(1).unwrap_or(u32::MAX), id }
    }

    /// From a stored game.
    pub fn of(game: &GameMetadata) -> GameOrder {
        GameOrder::new(game.date, game.id)
    }

    /// The id of the game.
    pub fn id(self) -> GameId {
        self.id
    }
}

impl Others {
    #[inline]
    pub(in crate::query) fn has(self, game: GameOrder) -> bool {
        match self {
            // A game whose date differs from the one in the archive must not be earlier than itself.
            Others::Before(this) => game < this && game.id != this.id,
            Others::AllBut(this) => this != Some(game.id),
        }
    }
}

impl FirstTwo {
    /// Adds a game that is not included yet.
    #[inline]
    pub(in crate::query) fn add(&mut self, game: GameOrder) {
        let FirstTwo([first, second]) = self;
        if first.is_none_or(|first| game < first) {
            *second = first.replace(game);
        } else if second.is_none_or(|second| game < second) {
            *second = Some(game);
        }
    }

    /// Whether one of the games counts as another game for a given one.
    pub(in crate::query) fn has_any_of(self, others: Others) -> bool {
        self.0.into_iter().flatten().any(|game| others.has(game))
    }
}

/// Games that reach a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::query) struct EarlierGames {
    pub games: u64,
    /// The best of them: by the sum of ratings (0 if one is unknown), then the latest.
    best: Top<(u32, GameOrder)>,
}

impl EarlierGames {
    pub(in crate::query) fn naming(most: usize) -> EarlierGames {
        EarlierGames { games: 0, best: Top::new(most) }
    }

    pub(in crate::query) fn add(&mut self, game: &GameMetadata) {
        self.games += 1;
        let elo = game.white_elo.zip(game.black_elo).map_or(0, |(white, black)| white.saturating_add(black));
        self.best.offer((elo, GameOrder::of(game)));
    }

    /// The ids of the best games, best first.
    pub(in crate::query) fn best(&self) -> Vec<GameId> {
        self.best.values().iter().map(|(_, order)| order.id()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(day: u8, id: GameId) -> GameOrder {
        GameOrder::new(Date::new(0, 0, day).unwrap(), id)
    }

    #[test]
    fn games_without_a_date_come_last_and_equal_dates_are_ordered_by_id() {
        let games = [(5, 9), (7, 1), (7, 2), (8, 1), (0, 3), (0, 4)].map(|(day, id)| order(day, id));
        assert!(games.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn two_games_are_as_good_as_all() {
        let games = [(3, 1), (3, 2), (0, 3), (1, 4), (2, 5)].map(|(day, id)| order(day, id));
        for count in 0..=games.len() {
            let mut first = FirstTwo::default();
            games[..count].iter().for_each(|game| first.add(*game));
            for game in games {
                let later = order(0, game.id);
                let others = [Others::Before(game), Others::Before(later), Others::AllBut(Some(game.id))];
                for others in others.into_iter().chain([Others::AllBut(None)]) {
                    assert!(others == Others::AllBut(None) || !others.has(game));
                    let expected = games[..count].iter().any(|other| others.has(*other));
                    assert_eq!(first.has_any_of(others), expected, "{count} {game:?} {others:?}");
                }
            }
        }
    }
}
