//! `byte`: the legal-move index as one byte a move, ended by 0xFF.
//!
//! ```text
//! | index of move 1 | index of move 2 | … | 0xFF |
//! ```
//!
//! Cost: 8 bits a ply and 8 for the end. Seeking is free: byte p is ply p. A position may have up to 255
//! legal moves (lawful chess has 218 at most); a move with a higher index cannot be held.
//!
//! Source: the fourth source text (Kojō Minono on the game Xelto, 2017): number a position's sorted legal
//! moves, of which Xelto should have fewer than 200, so that one takes about 8 bits. The end mark and the
//! outcome it leaves out are ours.
//!
//! ```
//! use plybook::chess::{Outcome, move_list};
//! use plybook::codec::game::{GameMoves, byte};
//!
//! let (start, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
//! let game = GameMoves { start, moves, outcome: Outcome::Unknown };
//! assert_eq!(byte::encode(&game)?, [13, 11, 13, 19, 0xff]);
//! # Ok::<(), plybook::codec::EncodeError>(())
//! ```
//!
//! # Stability
//! Frozen, like the order of legal moves it counts in.

use super::{GameCode, GameCodec, GameCodecInfo, GameMoves, board_outcome};
use crate::{
    bits::Bits,
    chess::VariantPosition,
    codec::{DecodeError, EncodeError},
    limits::MAX_PLIES,
    rules::{LegalMoves, Rules},
};

/// The byte after the last move.
const END: u8 = 0xff;

/// `byte` as one of the list.
pub struct Byte;

impl GameCodec for Byte {
    fn info(&self) -> &'static GameCodecInfo {
        &GameCodecInfo {
            name: "byte",
            year: 2017,
            source: "Kojō Minono, on Xelto",
            outcome: false,
            cost: "8 a ply",
            worst: "8 a ply",
            summary: "legal-move index as one byte a move, 0xFF ends",
        }
    }

    fn encode(&self, game: &GameMoves<VariantPosition>) -> Result<GameCode, EncodeError> {
        Ok(GameCode { bits: Bits::from_bytes(encode(game)?), plies: None })
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
/// A move that is not legal or has an index above 254, or too many moves.
pub fn encode<P: Rules>(game: &GameMoves<P>) -> Result<Vec<u8>, EncodeError> {
    if game.moves.len() > MAX_PLIES {
        return Err(EncodeError::TooLong);
    }
    let (mut position, mut bytes) = (game.start.clone(), Vec::with_capacity(game.moves.len() + 1));
    for (ply, &m) in (1..).zip(&game.moves) {
        let index = position.legal().index_of(m).ok_or(EncodeError::IllegalMove { ply })?;
        let byte = u8::try_from(index).ok().filter(|&byte| byte != END);
        let too_high = EncodeError::CannotHold { codec: "byte", what: "a move with an index above 254" };
        bytes.push(byte.ok_or(too_high)?);
        position.make(m);
    }
    bytes.push(END);
    Ok(bytes)
}

/// The game with these bytes.
///
/// # Errors
/// The bytes are no game from this start.
pub fn decode<P: Rules>(start: P, bytes: &[u8]) -> Result<GameMoves<P>, DecodeError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for (ply, &byte) in bytes.iter().enumerate() {
        if byte == END {
            let outcome = board_outcome(&position);
            let game = GameMoves { start, moves, outcome };
            return if ply + 1 == bytes.len() { Ok(game) } else { Err(DecodeError::Trailing { ply }) };
        }
        if ply >= MAX_PLIES {
            return Err(DecodeError::TooLong);
        }
        let m = position.legal().nth(byte.into()).ok_or(DecodeError::NoSuchMove { ply })?;
        position.make(m);
        moves.push(m);
    }
    Err(DecodeError::CutShort { ply: moves.len() })
}
