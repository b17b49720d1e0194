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
//! use plybook_chess::chess::{Chess, Outcome, move_list};
//! use plybook_chess::codec::game::{GameMoves, bare};
//!
//! let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start, moves, outcome: Outcome::Unknown };
//! let number = bare::encode(&game)?;
//! assert_eq!(number.to_integer().to_string(), "225833");
//! assert_eq!(bare::decode(game.start.clone(), &number.to_bytes_le(), 4).unwrap(), game);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves on which it is based.

use super::{
    GameCodec, GameCodecInfo, GameEncoder, GameMoves, Step, StoredEncoder, bits_of_integer, board_outcome,
    read_to_end, steps_of,
};
use crate::{
    bits::mixed_radix::{Digit, MixedRadix},
    chess::VariantPosition,
    codec::{DecodeError, EncodeError, Replay, StoredCodec},
    limits::{MAX_BLOB_BYTES, MAX_PLIES},
    rules::{FinalPosition, MoveIndex, Outcome, Rules},
};

/// The codec `index-bare`.
pub struct IndexBare;

impl GameCodec for IndexBare {
    fn info(&self) -> &'static GameCodecInfo {
        &GameCodecInfo {
            name: "index-bare",
            year: 2009,
            source: "William Shields, Stack Overflow; also Code Golf, 2014",
            outcome: false,
            cost: "Σ log2 n",
            worst: "log2 218 per ply",
            summary: "move numbers in mixed radix, with a separate ply count",
        }
    }

    fn encoder(&self) -> Box<dyn GameEncoder> {
        StoredEncoder::<IndexBare>::boxed(true)
    }

    fn decode(
        &self,
        start: &VariantPosition,
        bytes: &[u8],
        plies: Option<usize>,
    ) -> Result<GameMoves<VariantPosition>, DecodeError> {
        decode(start.clone(), bytes, plies.ok_or(DecodeError::NoPlies)?)
    }
}

/// The integer for a game's moves.
///
/// # Errors
/// An illegal move, or too many moves.
pub fn encode<P: Rules>(line: &GameMoves<P>) -> Result<MixedRadix, EncodeError> {
    let (steps, _) = steps_of(line, line.moves.len())?;
    Ok(compose(steps))
}

/// The integer for moves given by their indices.
fn compose(steps: Vec<MoveIndex>) -> MixedRadix {
    MixedRadix::compose(
        steps.into_iter().map(|MoveIndex { index, count }| Digit { value: index, radix: count }),
    )
}

/// Decodes a game of this many plies from the little-endian bytes of its integer.
///
/// # Errors
/// The bytes are not such a game.
pub fn decode<P: Rules>(start: P, bytes: &[u8], plies: usize) -> Result<GameMoves<P>, DecodeError> {
    read_to_end(start, |start| IndexBare::replay(start, bytes, plies))
}

impl StoredCodec for IndexBare {
    const HOLDS_END: bool = false;

    type Replay<P: Rules> = Decoder<P>;

    fn compose(steps: Vec<MoveIndex>, _: Outcome, _: FinalPosition) -> Result<Vec<u8>, EncodeError> {
        Ok(compose(steps).to_bytes_le())
    }

    fn replay<P: Rules>(start: P, bytes: &[u8], plies: usize) -> Result<Decoder<P>, DecodeError> {
        if bytes.len() > MAX_BLOB_BYTES {
            return Err(DecodeError::TooLarge { bytes: bytes.len() });
        }
        if plies > MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        if bytes.last() == Some(&0) {
            return Err(DecodeError::NotCanonical);
        }
        if bytes.len() / 2 > plies {
            // Two bytes per ply are enough for the legal moves of any position.
            return Err(DecodeError::Trailing { ply: plies });
        }
        Ok(Decoder { position: start, rest: MixedRadix::from_bytes_le(bytes), ply: 0, plies })
    }

    fn bits(bytes: &[u8]) -> u64 {
        bits_of_integer(bytes)
    }
}

/// Replays a game from its integer, one ply at a time.
#[derive(Clone, Debug)]
pub struct Decoder<P> {
    position: P,
    rest: MixedRadix,
    ply: usize,
    plies: usize,
}

impl<P: Rules> Replay<P> for Decoder<P> {
    fn position(&self) -> &P {
        &self.position
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn step(&mut self) -> Result<Step<P::Move>, DecodeError> {
        let ply = self.ply;
        if ply == self.plies {
            let is_end = self.rest.is_zero();
            return if is_end {
                Ok(Step::End(board_outcome(&self.position)))
            } else {
                Err(DecodeError::Trailing { ply })
            };
        }
        let m = self.position.take(&mut self.rest, 0).m;
        let m = m.ok_or(DecodeError::NoSuchMove { ply })?;
        self.position.make(m);
        self.ply += 1;
        Ok(Step::Move(m))
    }
}
