//! What statistics need to know about a game in addition to its moves.

use super::GameId;
use plybook_chess::{chess::Date, rules::Outcome};

/// The result, ratings and date of a stored game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMetadata {
    /// Its number in the archive.
    pub id: GameId,
    /// The result in the PGN.
    pub result: Outcome,
    /// White's rating; `None` if unknown. Many files write 0 for an unknown rating, which counts as unknown.
    pub white_elo: Option<u32>,
    /// Black's rating, likewise.
    pub black_elo: Option<u32>,
    /// The date; an invalid one counts as unknown.
    pub date: Date,
}
