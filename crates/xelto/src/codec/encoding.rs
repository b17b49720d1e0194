//! What an encoding of games is, and what their texts have in common.

use std::{fmt::Debug, str::FromStr};

use crate::{Move, Position};
use plybook_chess::codec::{DecodeError, EncodeError, game::GameMoves};

/// An encoding of games of Xelto.
pub trait XeltoCodec: Debug + Sync {
    /// The name, for ever.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// The number of bits of a game.
    ///
    /// # Errors
    /// A move that is not legal, or too many moves.
    fn bits(&self, game: &GameMoves<Position>) -> Result<u64, EncodeError>;

    /// A game as text in one line.
    ///
    /// # Errors
    /// A move that is not legal, or too many moves.
    fn write_text(&self, game: &GameMoves<Position>) -> Result<String, EncodeError>;

    /// The moves of a text, from the usual start.
    ///
    /// # Errors
    /// The text is no game.
    fn read_text(&self, text: &str) -> Result<Vec<Move>, TextError>;
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A word is no number of the encoding.
    #[error("{0:?} is no number of this encoding")]
    NoNumber(String),
    /// The text is not one integer.
    #[error("{0:?} is no decimal integer")]
    NoInteger(String),
    /// What the text says is no game.
    #[error(transparent)]
    Game(#[from] DecodeError),
}

/// Numbers with blanks between them.
pub(super) fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The numbers of a text.
pub(super) fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, TextError> {
    text.split_whitespace()
        .map(|word| word.parse().map_err(|_| TextError::NoNumber(word.to_owned())))
        .collect()
}

/// So many bits a move.
pub(super) fn bits_of(moves: usize, each: u64) -> u64 {
    u64::try_from(moves).unwrap_or(u64::MAX).saturating_mul(each)
}
