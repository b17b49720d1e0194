//! Games that reach a position, summed up by their next move, regardless of where they come from.

use crate::record::{GameMetadata, GameSums};

/// The games that reach a position. Each counts once, under the last move that it played from there, or separately if
/// it never moved. Parts can be tallied separately and merged in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    ended: GameSums,
    /// By the index of the move among the legal moves in canonical order.
    moves: Vec<GameSums>,
}

impl Tally {
    /// Adds a game and the last move that it played from the position: the 0-based index among the legal moves in
    /// [canonical order](crate::chess::MoveKey), or `None` if the game never moved from there.
    #[inline]
    pub fn add(&mut self, game: &GameMetadata, played: Option<u16>) {
        self.of(played).add(game);
    }

    /// Adds games that were summed up elsewhere and all count under one move (or under none).
    pub fn add_sums(&mut self, games: &GameSums, played: Option<u16>) {
        self.of(played).merge(games);
    }

    /// Adds the counts of another tally, of other games.
    pub fn merge(&mut self, other: &Tally) {
        self.ended.merge(&other.ended);
        for (index, games) in (0..).zip(&other.moves) {
            self.of(Some(index)).merge(games);
        }
    }

    /// The games that never moved from the position.
    pub fn ended(&self) -> &GameSums {
        &self.ended
    }

    /// The games that continued, by the index of their move; moves beyond the end have no games.
    pub fn moves(&self) -> &[GameSums] {
        &self.moves
    }

    /// All games.
    pub fn total(&self) -> GameSums {
        let mut total = self.ended;
        self.moves.iter().for_each(|games| total.merge(games));
        total
    }

    #[inline]
    fn of(&mut self, played: Option<u16>) -> &mut GameSums {
        let Some(index) = played.map(usize::from) else { return &mut self.ended };
        if index >= self.moves.len() {
            self.moves.resize(index + 1, GameSums::default());
        }
        &mut self.moves[index]
    }
}
