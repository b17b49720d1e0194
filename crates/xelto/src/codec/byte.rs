//! `byte`: every move is one byte, its index among the legal moves.
//!
//! The source only assumes that there are never more than 200 legal moves, which gives about 8 bits per move. There
//! are at most 228 (see [`Position::legal_moves`]), so a byte is always enough.
//!
//! # Stability
//! Frozen, like the canonical order of moves.

use super::{XeltoCodec, bits_of, joined, numbers};
use crate::{Move, Position};
use plybook_chess::{
    codec::{DecodeError, EncodeError},
    rules::LegalMoves,
};

/// The codec `byte`.
pub const BYTE: XeltoCodec = XeltoCodec {
    name: "byte",
    summary: "Move numbers, one byte per move",
    bits: |game| Ok(bits_of(encode(&game.start, &game.moves)?.len(), 8)),
    write_text: |game| Ok(joined(&encode(&game.start, &game.moves)?)),
    read_text: |text| Ok(decode(&Position::start(), &numbers(text)?)?),
};

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
