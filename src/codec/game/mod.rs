//! Encodings of whole games: the moves from a known start position, and the outcome.

pub mod index;

use crate::rules::{Outcome, Rules};

/// A played game: moves from a start position, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P: Rules> {
    /// Where the game starts.
    pub start: P,
    /// The moves, each legal where it is played.
    pub moves: Vec<P::Move>,
    /// How the game ended. Where the board itself ended it, the board's verdict.
    pub outcome: Outcome,
}
