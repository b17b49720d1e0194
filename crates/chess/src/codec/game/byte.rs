//! `byte`: move numbers with one byte per move, terminated by 0xFF.
//!
//! ```text
//! | index of move 1 | index of move 2 | … | 0xFF |
//! ```
//!
//! Cost: 8 bits per ply and 8 for the end. Seeking is free: byte p is ply p. Moves with an index up to 254 can be
//! stored, which is enough for chess (at most 218 legal moves); a move with a higher index cannot be stored.
//!
//! Source: the fourth source text (Kojō Minono on the game Xelto, 2017): number a position's sorted legal moves, of
//! which Xelto should have fewer than 200, so that one takes about 8 bits. The end mark is ours, and so is the
//! omission of the outcome.
//!
//! ```
//! use plybook_chess::chess::{Outcome, Variant, move_list};
//! use plybook_chess::codec::game::{GameMoves, byte::BYTE};
//!
//! let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
//! assert_eq!(BYTE.encode(&game)?.bits.bytes(), [13, 11, 13, 19, 0xff]);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves on which it is based.

use super::{GameCodec, PlayedMoves, Step, board_outcome, decode_stored, encode_stored};
use crate::{
    codec::{CodecId, DecodeError, EncodeError, MoveReader},
    limits::MAX_PLIES,
    rules::{LegalMoves, MoveIndex, Rules},
};

/// The byte after the last move.
const END: u8 = 0xff;

/// The codec `byte`.
pub const BYTE: GameCodec = GameCodec {
    name: "byte",
    year: 2017,
    source: "Kojō Minono, on Xelto",
    holds_end: true,
    outcome: false,
    cost: "8 per ply",
    worst: "8 per ply",
    summary: "move numbers with one byte per move, terminated by 0xFF",
    encode: |game| encode_stored(CodecId::Byte, game),
    decode: |start, bytes, plies| decode_stored(CodecId::Byte, start.clone(), bytes, plies),
};

/// The bytes of a game.
pub(in crate::codec) fn compose<P: Rules>(
    game: PlayedMoves<'_, P>,
    _: impl FnOnce() -> P,
) -> Result<Vec<u8>, EncodeError> {
    let moves = game.steps.into_iter().map(|MoveIndex { index, .. }| byte_of(index));
    moves.chain([Ok(END)]).collect()
}

/// The byte of a move.
fn byte_of(index: u32) -> Result<u8, EncodeError> {
    let too_high = EncodeError::CannotHold("byte", "a move with an index above 254");
    u8::try_from(index).ok().filter(|&byte| byte != END).ok_or(too_high)
}

pub(in crate::codec) fn bits(bytes: &[u8]) -> u64 {
    8 * bytes.len() as u64
}

/// Reads a game from its bytes.
#[derive(Clone, Debug)]
pub struct Reader(Vec<u8>);

impl<P: Rules> MoveReader<P> for Reader {
    fn new(_: &P, bytes: &[u8], _: usize) -> Result<Reader, DecodeError> {
        if bytes.len() > MAX_PLIES + 1 {
            return Err(DecodeError::TooLong);
        }
        Ok(Reader(bytes.to_vec()))
    }

    fn next(&mut self, position: &P, ply: usize) -> Result<Step<P::Move>, DecodeError> {
        match *self.0.get(ply).ok_or(DecodeError::CutShort(ply))? {
            END if ply + 1 == self.0.len() => Ok(Step::End(board_outcome(position))),
            END => Err(DecodeError::Trailing(ply)),
            byte => position.legal().nth(byte.into()).map(Step::Move).ok_or(DecodeError::NoSuchMove(ply)),
        }
    }
}
