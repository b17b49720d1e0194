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
//! use plybook_chess::chess::{Outcome, move_list};
//! use plybook_chess::codec::game::{GameMoves, byte};
//!
//! let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start, moves, outcome: Outcome::Unknown };
//! assert_eq!(byte::encode(&game)?, [13, 11, 13, 19, 0xff]);
//! # Ok::<(), plybook_chess::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves on which it is based.

use super::{
    GameCodec, GameCodecInfo, GameEncoder, GameMoves, Step, StoredEncoder, board_outcome, read_to_end,
    steps_of,
};
use crate::{
    chess::VariantPosition,
    codec::{DecodeError, EncodeError, Replay, StoredCodec},
    limits::MAX_PLIES,
    rules::{FinalPosition, LegalMoves, MoveIndex, Outcome, Rules},
};

/// The byte after the last move.
const END: u8 = 0xff;

/// The codec `byte`.
pub struct Byte;

impl GameCodec for Byte {
    fn info(&self) -> &'static GameCodecInfo {
        &GameCodecInfo {
            name: "byte",
            year: 2017,
            source: "Kojō Minono, on Xelto",
            outcome: false,
            cost: "8 per ply",
            worst: "8 per ply",
            summary: "move numbers with one byte per move, terminated by 0xFF",
        }
    }

    fn encoder(&self) -> Box<dyn GameEncoder> {
        StoredEncoder::<Byte>::boxed(false)
    }

    fn decode(
        &self,
        start: &VariantPosition,
        bytes: &[u8],
        _plies: Option<usize>,
    ) -> Result<GameMoves<VariantPosition>, DecodeError> {
        decode(start.clone(), bytes)
    }
}

/// The bytes of a game.
///
/// # Errors
/// An illegal move, a move with an index above 254, or too many moves.
pub fn encode<P: Rules>(line: &GameMoves<P>) -> Result<Vec<u8>, EncodeError> {
    let (steps, last) = steps_of(line, line.moves.len())?;
    Byte::compose(steps, line.outcome, last)
}

/// The byte of a move.
fn byte_of(index: u32) -> Result<u8, EncodeError> {
    let too_high = EncodeError::CannotHold { codec: "byte", what: "a move with an index above 254" };
    u8::try_from(index).ok().filter(|&byte| byte != END).ok_or(too_high)
}

/// Decodes a game.
///
/// # Errors
/// The bytes are not a game from this start position.
pub fn decode<P: Rules>(start: P, bytes: &[u8]) -> Result<GameMoves<P>, DecodeError> {
    read_to_end(start, |start| Byte::replay(start, bytes, 0))
}

impl StoredCodec for Byte {
    const HOLDS_END: bool = true;

    type Replay<P: Rules> = Decoder<P>;

    fn compose(steps: Vec<MoveIndex>, _: Outcome, _: FinalPosition) -> Result<Vec<u8>, EncodeError> {
        let moves = steps.into_iter().map(|MoveIndex { index, .. }| byte_of(index));
        moves.chain([Ok(END)]).collect()
    }

    fn replay<P: Rules>(start: P, bytes: &[u8], _: usize) -> Result<Decoder<P>, DecodeError> {
        if bytes.len() > MAX_PLIES + 1 {
            return Err(DecodeError::TooLong);
        }
        Ok(Decoder { position: start, bytes: bytes.to_vec(), ply: 0 })
    }

    fn bits(bytes: &[u8]) -> u64 {
        8 * bytes.len() as u64
    }
}

/// Replays a game from its bytes, one ply at a time.
#[derive(Clone, Debug)]
pub struct Decoder<P> {
    position: P,
    bytes: Vec<u8>,
    ply: usize,
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
        let &byte = self.bytes.get(ply).ok_or(DecodeError::CutShort { ply })?;
        if byte == END {
            let is_last = ply + 1 == self.bytes.len();
            return if is_last {
                Ok(Step::End(board_outcome(&self.position)))
            } else {
                Err(DecodeError::Trailing { ply })
            };
        }
        let m = self.position.legal().nth(byte.into()).ok_or(DecodeError::NoSuchMove { ply })?;
        self.position.make(m);
        self.ply += 1;
        Ok(Step::Move(m))
    }
}
