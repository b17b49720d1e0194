//! The interface of an encoding of games, and functions shared by their text forms.

use std::{fmt::Debug, str::FromStr};

use crate::{Move, Position};
use plybook_chess::codec::{DecodeError, EncodeError, game::GameMoves};

/// An encoding of games of Xelto.
pub trait XeltoCodec: Debug + Sync {
    /// The permanent name.
    fn name(&self) -> &'static str;

    /// A one-line description.
    fn summary(&self) -> &'static str;

    /// The size of a game in bits.
    ///
    /// # Errors
    /// An illegal move, or too many moves.
    fn bits(&self, game: &GameMoves<Position>) -> Result<u64, EncodeError>;

    /// A game as one line of text.
    ///
    /// # Errors
    /// An illegal move, or too many moves.
    fn write_text(&self, game: &GameMoves<Position>) -> Result<String, EncodeError>;

    /// The moves of a text, from the standard start position.
    ///
    /// # Errors
    /// The text is not a game.
    fn read_text(&self, text: &str) -> Result<Vec<Move>, TextError>;
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A word that is not a number of the encoding.
    #[error("{0:?} is not a valid number in this encoding")]
    NoNumber(String),
    /// The text is not one integer.
    #[error("{0:?} is not a decimal integer")]
    NoInteger(String),
    /// The content of the text is not a game.
    #[error(transparent)]
    Game(#[from] DecodeError),
}

/// Numbers separated by spaces.
pub(super) fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The numbers in a text.
pub(super) fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, TextError> {
    text.split_whitespace()
        .map(|word| word.parse().map_err(|_| TextError::NoNumber(word.to_owned())))
        .collect()
}

/// The size of some moves with the given number of bits per move.
pub(super) fn bits_of(moves: usize, each: u64) -> u64 {
    u64::try_from(moves).unwrap_or(u64::MAX).saturating_mul(each)
}
