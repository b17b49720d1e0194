//! Why a stored game cannot be restored.

use super::GameId;
use plybook_chess::{codec::DecodeError, counts::PLIES};

/// Why a stored game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The moves are damaged.
    #[error("game {id}: the stored moves are damaged: {error}")]
    Moves {
        /// The game.
        id: GameId,
        /// The error.
        #[source]
        error: DecodeError,
    },
    /// The annotations are damaged.
    #[error("game {id}: the stored annotations are damaged: {error}")]
    Annotations {
        /// The game.
        id: GameId,
        /// The error.
        #[source]
        error: DecodeError,
    },
    /// The game is not chess.
    #[error("game {id} is a {is} game, not a chess game")]
    NotChess {
        /// The game.
        id: GameId,
        /// The name of its family.
        is: &'static str,
    },
    /// The game does not belong to the requested family (other than chess).
    #[error("game {id} is a {is} game, not a {wanted} game")]
    OtherFamily {
        /// The game.
        id: GameId,
        /// The name of its family.
        is: &'static str,
        /// The name of the requested family.
        wanted: &'static str,
    },
    /// The tag pairs do not form a valid Xelto record.
    #[error("game {id}: the stored record is damaged: {what}")]
    Record {
        /// The game.
        id: GameId,
        /// The error.
        what: String,
    },
    /// The start position is damaged.
    #[error("game {id}: the stored start position is damaged")]
    Setup {
        /// The game.
        id: GameId,
    },
    /// The End marker and the stored result differ.
    #[error("game {id}: the stored result contradicts the moves")]
    Result {
        /// The game.
        id: GameId,
    },
    /// The game has no such ply.
    #[error("game {id} has no ply {asked}: it has {plies} {}; use 0 to {plies}, or -1 to -{} to count from the end", PLIES.of(*.plies as u64), .plies + 1)]
    NoSuchPly {
        /// The game.
        id: GameId,
        /// The requested ply.
        asked: String,
        /// The length of the game.
        plies: usize,
    },
}
