//! Where one game leaves the lines of a repertoire.

use serde::Serialize;

use crate::chess::Move;

/// Why a game leaves the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DepartureKind {
    /// The opponent played a move that no line answers.
    Reply,
    /// The repertoire's side played another move than the lines.
    Own,
    /// The line ends there, and the game continued.
    End,
    /// The game ended there.
    Finished,
}

/// Where a game leaves the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The index of its last position in the lines: see [`Repertoire::position`](super::Repertoire::position).
    pub place: usize,
    /// The ply of that position in the game.
    pub ply: usize,
    /// The move that the game played there; `None` if it ended.
    pub played: Option<Move>,
    /// Why this is the last one.
    pub kind: DepartureKind,
}
