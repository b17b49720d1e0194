//! Errors in records.

use super::{IllegalMove, WordError};
use crate::{Ending, EndingError};
use plybook_chess::limits;

/// A record that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, ply {ply}: {problem}")]
pub struct RecordError {
    /// The 1-based line.
    pub line: usize,
    /// The 1-based ply that was being read or was expected.
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
    /// There are no moves and no result, only headers: such a game could not be separated from the next.
    #[error("the record has neither moves nor a result")]
    NoGame,
    /// The line is neither a header, nor moves, nor a result.
    #[error("{0:?} is neither a header, nor numbered moves, nor a result")]
    UnknownLine(String),
    /// The line or word is not allowed here: the order is headers, moves, continuation, result.
    #[error("{0:?} is not allowed here; the order is headers, moves, continuation, result")]
    OutOfPlace(String),
    /// A repeated header.
    #[error("duplicate header {0:?}")]
    HeaderTwice(String),
    /// A word among the moves that does not start with a number and a point.
    #[error("{0:?} has no move number")]
    NoNumber(String),
    /// The move has the wrong number: the one in the record, and the expected one.
    #[error("wrong move number {0}; expected {1}")]
    Number(String, usize),
    /// A word that is not a move in any position.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A move that is not legal in its position, as written, and why.
    #[error("{0} is not legal: {1}")]
    Illegal(String, IllegalMove),
    /// A continuation without moves.
    #[error("the continuation has no moves")]
    EmptyContinuation,
    /// A continuation that is not closed.
    #[error("the continuation must end with まで。")]
    OpenContinuation,
    /// A sentence that is not a result.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The result in the record contradicts that on the board.
    #[error("the result is \"{0}\", but by the final position it is \"{1}\"")]
    Contradiction(Ending, Ending),
    /// The record is larger than [`limits::MAX_GAME_BYTES`].
    #[error("the record is larger than {} bytes", limits::MAX_GAME_BYTES)]
    TooLarge,
    /// The game has more plies than [`limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", limits::MAX_PLIES)]
    TooLong,
    /// There are more headers than [`limits::MAX_TAGS`].
    #[error("the record has more than {} headers", limits::MAX_TAGS)]
    TooManyHeaders,
    /// A header is longer than [`limits::MAX_TAG_BYTES`].
    #[error("a header is longer than {} bytes", limits::MAX_TAG_BYTES)]
    HeaderTooLong,
}
