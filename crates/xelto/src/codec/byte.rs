//! `byte`: every move is one byte, its index among the legal moves.
//!
//! The source only assumes that there are never more than 200 legal moves, which gives about 8 bits per move. There
//! are at most 228 (see [`Position::legal_moves`]), so a byte is always enough.
//!
//! # Stability
//! Frozen, like the canonical order of moves.

use super::{TextError, XeltoCodec, encoding};
use crate::{Move, Position};
use plybook_chess::{
    codec::{DecodeError, EncodeError, game::GameMoves},
    rules::LegalMoves,
};

/// The codec `byte`.
#[derive(Debug)]
pub struct Byte;

impl XeltoCodec for Byte {
    fn name(&self) -> &'static str {
        "byte"
    }

    fn summary(&self) -> &'static str {
        "Move numbers, one byte per move"
    }

    fn bits(&self, game: &GameMoves<Position>) -> Result<u64, EncodeError> {
        Ok(encoding::bits_of(encode(&game.start, &game.moves)?.len(), 8))
    }

    fn write_text(&self, game: &GameMoves<Position>) -> Result<String, EncodeError> {
        Ok(encoding::joined(&encode(&game.start, &game.moves)?))
    }

    fn read_text(&self, text: &str) -> Result<Vec<Move>, TextError> {
        Ok(decode(&Position::start(), &encoding::numbers(text)?)?)
    }
}

/// The indices of the moves of a game.
///
/// ```
/// use plybook_xelto::{codec::byte, notation::Record};
///
/// let record: Record = "1.b5vio\n2.s5lin\n3.b4fav".parse()?;
/// assert_eq!(byte::encode(&record.start(), &record.moves)?, [0, 3, 27]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An illegal move, or too many moves.
pub fn encode(start: &Position, moves: &[Move]) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::with_capacity(moves.len());
    super::write_moves(start, moves, |_, index| bytes.push(index))?;
    Ok(bytes)
}

/// The moves with these indices.
///
/// # Errors
/// An index without a legal move, bytes after the end of the game, or too many bytes.
pub fn decode(start: &Position, bytes: &[u8]) -> Result<Vec<Move>, DecodeError> {
    super::read_moves(start, bytes, |_, legal, &index| legal.nth(index.into()))
}
