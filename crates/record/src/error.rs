//! Why a stored game cannot be restored.

use super::GameId;
use plybook_chess::{
    codec::{DecodeError, EncodeError},
    counts::PLIES,
};

/// Why a stored game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The moves are damaged.
    #[error("game {0}: the stored moves are damaged: {1}")]
    Moves(GameId, #[source] DecodeError),
    /// The annotations are damaged.
    #[error("game {0}: the stored annotations are damaged: {1}")]
    Annotations(GameId, #[source] DecodeError),
    /// The game does not belong to the requested family.
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
    #[error("game {0}: the stored record is damaged: {1}")]
    Record(GameId, String),
    /// The start position is damaged.
    #[error("game {0}: the stored start position is damaged")]
    Setup(GameId),
    /// The End marker and the stored result differ.
    #[error("game {0}: the stored result contradicts the moves")]
    Result(GameId),
    /// A codec cannot represent the game.
    #[error("game {0}: {1}")]
    Recoding(GameId, #[source] EncodeError),
    /// The moves in another codec are not those of the game: a defect of plybook.
    #[error("game {0}: its moves differ in the new codec, so it stays as it is; please report this")]
    NotReadBack(GameId),
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
