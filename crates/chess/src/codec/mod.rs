//! The encodings of games and positions: one file per encoding, one trait and one list per kind.
//!
//! Decoders are total: any byte string gives a value or a [`DecodeError`], in bounded time and memory. Each value has
//! exactly one encoding, and a decoder rejects every other.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

pub mod annotation;
pub mod game;
mod id;
#[doc(hidden)]
pub mod zstd_frame;

pub use id::{AnyReader, AnyReplay, CodecId, MoveReader};

use crate::{bits::BitError, rules::DamagedModel};

/// Why a value cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The move at this 1-based ply is not legal in its position.
    #[error("illegal move at ply {0}")]
    IllegalMove(usize),
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The codec with this name cannot represent the value: what it cannot store.
    #[error("the codec {0} cannot store {1}")]
    CannotHold(&'static str, &'static str),
    /// The weights for the moves cannot be read.
    #[error(transparent)]
    Model(#[from] DamagedModel),
}

/// Why bytes could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end before the value is complete; the 0-based ply is missing.
    #[error("truncated game: the data ends at ply {0}")]
    CutShort(usize),
    /// There is more data after the end of the value, which comes after this number of plies.
    #[error("unexpected data after the end of the game at ply {0}")]
    Trailing(usize),
    /// The digits after End, which comes after this number of plies, are not Ends, or there are more than four Ends.
    #[error("invalid End marker after ply {0}")]
    BrokenEnd(usize),
    /// The check of the game does not match its moves, which end after this number of plies.
    #[error("damaged game: its check after ply {0} is wrong")]
    WrongCheck(usize),
    /// The weights for the moves cannot be read.
    #[error(transparent)]
    Model(#[from] DamagedModel),
    /// The moves repeat forever; the ply is one of the cycle.
    #[error("unterminated game: it repeats forever from ply {0}")]
    Endless(usize),
    /// An illegal move at this 0-based ply, or a field without meaning.
    #[error("invalid move at ply {0}")]
    NoSuchMove(usize),
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The value is larger than [`crate::limits::MAX_BLOB_BYTES`]: its size in bytes.
    #[error("too large: a game cannot have {0} bytes")]
    TooLarge(usize),
    /// The value has another encoding; only that one is accepted.
    #[error("non-canonical encoding")]
    NotCanonical,
    /// The number of plies is required but was not given.
    #[error("the number of plies is missing")]
    NoPlies,
    /// The data ends too early or too late.
    #[error(transparent)]
    Bits(#[from] BitError),
    /// Invalid annotations: what is wrong with them.
    #[error("the annotations are damaged: {0}")]
    Annotations(&'static str),
    /// A field without meaning: what is wrong with it.
    #[error("cannot decode the position: {0}")]
    Invalid(&'static str),
}
