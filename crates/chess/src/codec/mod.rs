//! The encodings of games and positions: one file an encoding, one trait and one list a kind.
//!
//! Decoders are total: any byte string gives a value or a [`DecodeError`], in bounded time and memory. One
//! value has one form, and a decoder refuses every other.

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

pub use id::{AnyReplay, CodecId, Replay, StoredCodec};

use crate::bits::BitError;

/// Why a value cannot be written in an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A move of the game is not legal where it is played.
    #[error("move {ply} of the game is not legal")]
    IllegalMove {
        /// The 1-based ply of the move.
        ply: usize,
    },
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The format has no way to say it.
    #[error("{codec} cannot hold {what}")]
    CannotHold {
        /// The codec's name.
        codec: &'static str,
        /// What the codec cannot hold.
        what: &'static str,
    },
}

/// Why bytes are not a value of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end before the value does.
    #[error("the bytes end at ply {ply} before the game does")]
    CutShort {
        /// The 0-based ply that is missing.
        ply: usize,
    },
    /// More follows after the value's end.
    #[error("something follows after the end, at ply {ply}")]
    Trailing {
        /// The number of plies before the end.
        ply: usize,
    },
    /// The digits after End are not more Ends, or there are more than four of them.
    #[error("the End marker after ply {ply} is broken")]
    BrokenEnd {
        /// The number of plies before the End.
        ply: usize,
    },
    /// The moves go round in a circle for ever.
    #[error("the game does not end: it repeats itself from ply {ply} on")]
    Endless {
        /// A ply of the circle.
        ply: usize,
    },
    /// A move that is not legal, or a field that has no meaning.
    #[error("no legal move at ply {ply}")]
    NoSuchMove {
        /// The 0-based ply of the move.
        ply: usize,
    },
    /// The game has more plies than [`crate::limits::MAX_PLIES`].
    #[error("the game is longer than {} plies", crate::limits::MAX_PLIES)]
    TooLong,
    /// The value is larger than [`crate::limits::MAX_BLOB_BYTES`].
    #[error("{bytes} bytes are more than a game may have")]
    TooLarge {
        /// The size of what was given.
        bytes: usize,
    },
    /// The same value has another form: only that one is accepted.
    #[error("the bytes are not the one form of what they say")]
    NotCanonical,
    /// The number of plies is needed and was not given.
    #[error("the number of plies is not known")]
    NoPlies,
    /// The bytes end too early or too late.
    #[error(transparent)]
    Bits(#[from] BitError),
    /// Annotations that make no sense.
    #[error("the annotations are damaged: {what}")]
    Annotations {
        /// What is wrong with them.
        what: &'static str,
    },
    /// A field that has no meaning.
    #[error("the bytes are no position: {what}")]
    Invalid {
        /// What is wrong with them.
        what: &'static str,
    },
}
