//! A move in notation.

use std::{fmt, str::FromStr};

use crate::{Piece, Square, UnknownPiece, UnknownSquare};

/// A move in notation; its effect depends on the position.
///
/// | move | form | example |
/// |---|---|---|
/// | ordinary | square, piece | `b1pal` |
/// | pair | both squares and pieces, in any order | `b3mik&b4fav` |
/// | pair, until 2017 | square and name of one piece, name of the other | `b4favmik` |
/// | turn | `+`, piece | `+zan` |
/// | mount | `*`, piece | `*rez` |
/// | unmount | `*...` | `*...` |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// One piece moves to a square.
    Step(MoveTarget),
    /// Two pieces move together. Either may lead.
    Pair(MoveTarget, MoveTarget),
    /// The older notation of a pair: the piece named first moves to the square. Either may lead.
    OldPair(MoveTarget, Piece),
    /// A piece is turned.
    Turn(Piece),
    /// A piece is mounted on Teems.
    Mount(Piece),
    /// The mounted piece is unmounted.
    Unmount,
}

/// A piece and its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTarget {
    /// The square.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
}

impl fmt::Display for MoveTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.square, self.piece)
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Step(target) => write!(f, "{target}"),
            Written::Pair(one, other) => write!(f, "{one}&{other}"),
            Written::OldPair(one, other) => write!(f, "{one}{other}"),
            Written::Turn(piece) => write!(f, "+{piece}"),
            Written::Mount(piece) => write!(f, "*{piece}"),
            Written::Unmount => f.write_str("*..."),
        }
    }
}

impl FromStr for MoveTarget {
    type Err = WordError;

    fn from_str(word: &str) -> Result<MoveTarget, WordError> {
        let (square, piece) = word.split_at_checked(2).ok_or_else(|| WordError::Form(word.to_owned()))?;
        Ok(MoveTarget { square: square.parse()?, piece: piece.parse()? })
    }
}

impl FromStr for Written {
    type Err = WordError;

    fn from_str(word: &str) -> Result<Written, WordError> {
        if let Some(piece) = word.strip_prefix('+') {
            return Ok(Written::Turn(piece.parse()?));
        }
        if let Some(piece) = word.strip_prefix('*') {
            return if piece == "..." { Ok(Written::Unmount) } else { Ok(Written::Mount(piece.parse()?)) };
        }
        if let Some((one, other)) = word.split_once('&') {
            return Ok(Written::Pair(one.parse()?, other.parse()?));
        }
        match (word.len(), word.split_at_checked(5)) {
            (5, _) => Ok(Written::Step(word.parse()?)),
            (8, Some((one, other))) => Ok(Written::OldPair(one.parse()?, other.parse()?)),
            _ => Err(WordError::Form(word.to_owned())),
        }
    }
}

/// Why a word is not a move in any position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordError {
    /// It does not have the form of a move.
    #[error("{0:?} is not a move")]
    Form(String),
    /// It does not name a square.
    #[error(transparent)]
    Square(#[from] UnknownSquare),
    /// It does not name a piece.
    #[error(transparent)]
    Piece(#[from] UnknownPiece),
}
