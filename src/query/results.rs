//! The results of games.

use serde::Serialize;

use crate::rules::{Color, KnownOutcome, Outcome};

/// The results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games with any other result.
    pub other: u64,
}

impl Results {
    /// Adds a game.
    #[inline]
    pub fn add(&mut self, result: Outcome) {
        self.games += 1;
        *match result {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => &mut self.white,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => &mut self.black,
            Outcome::Known(KnownOutcome::Draw) => &mut self.draws,
            Outcome::Unknown => &mut self.other,
        } += 1;
    }

    /// Adds other games.
    pub fn merge(&mut self, more: &Results) {
        self.games += more.games;
        self.white += more.white;
        self.draws += more.draws;
        self.black += more.black;
        self.other += more.other;
    }

    /// The numbers of games that White won, drew and lost.
    pub fn known(&self) -> [u64; 3] {
        [self.white, self.draws, self.black]
    }

    /// The numbers of games that a side won, drew and lost.
    pub fn of(&self, side: Color) -> [u64; 3] {
        let [white, draws, black] = self.known();
        side.fold_wb([white, draws, black], [black, draws, white])
    }

    /// All numbers, in the order of list columns.
    pub fn all(&self) -> [u64; 5] {
        [self.games, self.white, self.draws, self.black, self.other]
    }
}
