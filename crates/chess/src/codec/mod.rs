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

use crate::bits::BitError;

/// Why a value cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A move of the game is not legal in its position.
    #[error("illegal move at ply {ply}")]
    IllegalMove {
        /// The 1-based ply of the move.
        ply: usize,
    },
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The format cannot represent the value.
    #[error("the codec {codec} cannot store {what}")]
    CannotHold {
        /// The codec's name.
        codec: &'static str,
        /// What the codec cannot store.
        what: &'static str,
    },
}

/// Why bytes could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end before the value is complete.
    #[error("truncated game: the data ends at ply {ply}")]
    CutShort {
        /// The 0-based ply that is missing.
        ply: usize,
    },
    /// There is more data after the end of the value.
    #[error("unexpected data after the end of the game at ply {ply}")]
    Trailing {
        /// The number of plies before the end.
        ply: usize,
    },
    /// The digits after End are not Ends, or there are more than four Ends.
    #[error("invalid End marker after ply {ply}")]
    BrokenEnd {
        /// The number of plies before the End.
        ply: usize,
    },
    /// The moves repeat forever.
    #[error("unterminated game: it repeats forever from ply {ply}")]
    Endless {
        /// A ply of the cycle.
        ply: usize,
    },
    /// An illegal move, or a field without meaning.
    #[error("invalid move at ply {ply}")]
    NoSuchMove {
        /// The 0-based ply of the move.
        ply: usize,
    },
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The value is larger than [`crate::limits::MAX_BLOB_BYTES`].
    #[error("too large: a game cannot have {bytes} bytes")]
    TooLarge {
        /// The size of the data.
        bytes: usize,
    },
    /// The value has another encoding; only that one is accepted.
    #[error("non-canonical encoding")]
    NotCanonical,
    /// The number of plies is required but was not given.
    #[error("the number of plies is missing")]
    NoPlies,
    /// The data ends too early or too late.
    #[error(transparent)]
    Bits(#[from] BitError),
    /// Invalid annotations.
    #[error("the annotations are damaged: {what}")]
    Annotations {
        /// What is wrong with them.
        what: &'static str,
    },
    /// A field without meaning.
    #[error("cannot decode the position: {what}")]
    Invalid {
        /// What is wrong with them.
        what: &'static str,
    },
}
