//! What can be wrong with a record.

use super::{IllegalMove, WordError};
use crate::{Ending, EndingError};
use plybook_chess::limits;

/// A record that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, ply {ply}: {problem}")]
pub struct RecordError {
    /// The 1-based line.
    pub line: usize,
    /// The 1-based ply that was being read, or was due.
    pub ply: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing in it.
    #[error("the record is empty")]
    Empty,
    /// There are headers at most, but no game: nothing would tell where it ends among others.
    #[error("the record has neither moves nor a result")]
    NoGame,
    /// The line is neither a header, nor moves, nor a result.
    #[error("{0:?} is neither a header, nor numbered moves, nor a result")]
    UnknownLine(String),
    /// The line or word may not come here: the order is headers, moves, continuation, result.
    #[error("{0:?} is out of place")]
    OutOfPlace(String),
    /// A header that was there before.
    #[error("the header {0:?} comes twice")]
    HeaderTwice(String),
    /// A word among the moves that does not begin with a number and a point.
    #[error("{0:?} has no number")]
    NoNumber(String),
    /// The move has another number than its place.
    #[error("the number {found} stands where {due} is due")]
    Number {
        /// The number that is written.
        found: String,
        /// The number that is due.
        due: usize,
    },
    /// A word that is no move in any position.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A move that is not legal in its position.
    #[error("{word} is not legal: {reason}")]
    Illegal {
        /// The move as it is written.
        word: String,
        /// Why it is not legal.
        reason: IllegalMove,
    },
    /// A continuation without moves.
    #[error("the continuation has no moves")]
    EmptyContinuation,
    /// A continuation that is not closed.
    #[error("the continuation is not closed by まで。")]
    OpenContinuation,
    /// A sentence that is no result.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// A result other than that on the board.
    #[error("the result says \"{said}\", but the board says \"{board}\"")]
    Contradiction {
        /// What is written.
        said: Ending,
        /// What the board says.
        board: Ending,
    },
    /// The record is larger than [`limits::MAX_GAME_BYTES`].
    #[error("the record is larger than {} bytes", limits::MAX_GAME_BYTES)]
    TooLarge,
    /// The game has more plies than [`limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", limits::MAX_PLIES)]
    TooLong,
    /// There are more headers than [`limits::MAX_TAGS`].
    #[error("there are more than {} headers", limits::MAX_TAGS)]
    TooManyHeaders,
    /// A header is longer than [`limits::MAX_TAG_BYTES`].
    #[error("a header is longer than {} bytes", limits::MAX_TAG_BYTES)]
    HeaderTooLong,
}
