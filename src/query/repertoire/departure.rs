//! Where one game leaves the lines of a repertoire.

use serde::Serialize;

use crate::chess::Move;

/// Why a game is in the lines no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DepartureKind {
    /// The other side played what no line answers.
    Reply,
    /// The owner's side played something else than the lines.
    Own,
    /// The line ends there, and the game went on.
    End,
    /// The game ended there.
    Finished,
}

/// Where a game leaves the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The number of the last position in them: see [`Repertoire::position`](super::Repertoire::position).
    pub place: usize,
    /// The plies of the game before it.
    pub ply: usize,
    /// What the game played there; `None` if it ended.
    pub played: Option<Move>,
    /// Why that is the last one.
    pub kind: DepartureKind,
}
