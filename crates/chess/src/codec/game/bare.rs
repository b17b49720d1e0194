//! `index-bare`: move numbers without the End marker. The bases are the numbers of legal moves, so the integer does
//! not say where it ends: the ply count is stored separately, and the outcome is not stored.
//!
//! ```text
//! G = d0 + n0·(d1 + n1·(d2 + …))      d: index of the move, n: number of legal moves
//! ```
//!
//! Cost: Σ log2 n, about 4.8 bits per ply of a master game, plus the ply count.
//!
//! Source: the first source text, "attempt 2" (an answer on Code Golf Stack Exchange to a puzzle of 2014), and the
//! "variable base" of the second (William Shields on Stack Overflow, 2009). The first estimates ⌈(m+1)·log2 20⌉ bits
//! for m plies with 20 legal moves each: 351 for 80 plies, 1734 for 400, 243 for 55. For 40 it says 177, a typo for
//! 178. Its own example, 1. e4 e5 2. Nf3 f6, has the digits 13/20, 11/20, 13/29, 19/29:
//!
//! ```
//! use plybook_chess::chess::{Outcome, Variant, move_list};
//! use plybook_chess::codec::game::{GameMoves, bare::INDEX_BARE};
//!
//! let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
//! let code = INDEX_BARE.encode(&game)?;
//! assert_eq!((code.bits.bytes(), code.plies), (&225833_u32.to_le_bytes()[..3], Some(4)));
//! assert_eq!(INDEX_BARE.decode(&game.start, code.bits.bytes(), code.plies).unwrap(), game);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves on which it is based.

use super::{GameCodec, PlayedMoves, Step, board_outcome, decode_stored, encode_stored};
use crate::{
    bits::mixed_radix::{Digit, MixedRadix},
    codec::{CodecId, DecodeError, EncodeError, MoveReader},
    limits::{MAX_BLOB_BYTES, MAX_PLIES},
    rules::{MoveIndex, Rules},
};

pub(in crate::codec) use super::bits_of_integer as bits;

/// The codec `index-bare`.
pub const INDEX_BARE: GameCodec = GameCodec {
    name: "index-bare",
    year: 2009,
    source: "William Shields, Stack Overflow; also Code Golf, 2014",
    holds_end: false,
    outcome: false,
    cost: "Σ log2 n",
    worst: "log2 218 per ply",
    summary: "move numbers in mixed radix, with a separate ply count",
    encode: |game| encode_stored(CodecId::IndexBare, game),
    decode: |start, bytes, plies| decode_stored(CodecId::IndexBare, start.clone(), bytes, plies),
};

/// The bytes of the integer for a game.
pub(in crate::codec) fn compose<P: Rules>(
    game: PlayedMoves<'_, P>,
    _: impl FnOnce() -> P,
) -> Result<Vec<u8>, EncodeError> {
    let digits =
        game.steps.into_iter().map(|MoveIndex { index, count }| Digit { value: index, radix: count });
    Ok(MixedRadix::compose(digits).to_bytes_le())
}

/// Reads a game from its integer.
#[derive(Clone, Debug)]
pub struct Reader {
    rest: MixedRadix,
    plies: usize,
}

impl<P: Rules> MoveReader<P> for Reader {
    fn new(_: &P, bytes: &[u8], plies: usize) -> Result<Reader, DecodeError> {
        if bytes.len() > MAX_BLOB_BYTES {
            return Err(DecodeError::TooLarge(bytes.len()));
        }
        if plies > MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        if bytes.last() == Some(&0) {
            return Err(DecodeError::NotCanonical);
        }
        if bytes.len() / 2 > plies {
            // Two bytes per ply are enough for the legal moves of any position.
            return Err(DecodeError::Trailing(plies));
        }
        Ok(Reader { rest: MixedRadix::from_bytes_le(bytes), plies })
    }

    #[inline]
    fn next(&mut self, position: &P, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        if ply < self.plies {
            let m = position.take(&mut self.rest, 0).m;
            m.map(Step::Move).ok_or(DecodeError::NoSuchMove(ply))
        } else if self.rest.is_zero() {
            Ok(Step::End(board_outcome(position)))
        } else {
            Err(DecodeError::Trailing(ply))
        }
    }
}
