//! How games ended, as White sees it.

use serde::Serialize;

use super::score::percent;
use crate::rules::{Color, KnownOutcome, Outcome};

/// How some games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// Those that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Those that Black won.
    pub black: u64,
    /// Those without a result: they count in no percentage.
    pub other: u64,
    /// White's points (a draw is half a point) in percent of the games with a result; `None` without such games.
    pub percent: Option<f64>,
    /// Draws in percent of the games with a result.
    pub drawn_percent: Option<f64>,
}

impl Results {
    /// Adds a game; percentages are said by [`told`](Self::told).
    pub(super) fn add(&mut self, result: Outcome) {
        self.games += 1;
        *match result {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => &mut self.white,
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => &mut self.black,
            Outcome::Known(KnownOutcome::Draw) => &mut self.draws,
            Outcome::Unknown => &mut self.other,
        } += 1;
    }

    /// Adds other games.
    pub(super) fn merge(&mut self, more: &Results) {
        self.games += more.games;
        self.white += more.white;
        self.draws += more.draws;
        self.black += more.black;
        self.other += more.other;
    }

    /// The same with its percentages.
    pub(super) fn told(self) -> Results {
        let ended = self.white + self.draws + self.black;
        Results {
            percent: percent(2 * self.white + self.draws, 2 * ended),
            drawn_percent: percent(self.draws, ended),
            ..self
        }
    }
}
