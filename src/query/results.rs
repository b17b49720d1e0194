//! How games ended.

use serde::Serialize;

use crate::rules::{Color, KnownOutcome, Outcome};

/// How some games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// Those that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Those that Black won.
    pub black: u64,
    /// Those with any other result.
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

    /// The games that a side won, those that were drawn, and those that it lost.
    pub fn of(&self, side: Color) -> [u64; 3] {
        side.fold_wb([self.white, self.draws, self.black], [self.black, self.draws, self.white])
    }
}
