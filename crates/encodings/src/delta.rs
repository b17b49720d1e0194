//! `delta`: the differences from the initial position.
//!
//! ```text
//! each square, a1 to h8:  | 0 | as initially        | 1 | x 4 |  x = nibble XOR the initial nibble, never 0
//! ```
//!
//! The nibbles are those of `nibble`.
//!
//! Cost: 64 bits for the initial position, 4 more per changed square, at most 320.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), "difference of state"; it does not
//! specify how the XOR is packed.
//!
//! ```
//! use plybook_chess::chess::Fen;
//! use plybook_encodings::delta::DELTA;
//! let after_e4: Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse().unwrap();
//! assert_eq!(DELTA.encode(after_e4.as_setup()).unwrap().len(), 64 + 2 * 4);
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, board};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Setup, Square},
    codec::DecodeError,
};

/// The codec `delta`.
pub const DELTA: PositionCodec = PositionCodec {
    name: "delta",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 64,
    worst_bits: Some(320),
    summary: "nibbles XOR those of the initial position, with a 0 as one bit",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    let initial = Board::new();
    for square in Square::ALL {
        let change = board::symbol(&setup.board, square) ^ board::symbol(&initial, square);
        bits.push_bit(change != 0);
        if change != 0 {
            bits.push(change.into(), 4);
        }
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let initial = Board::new();
    let symbols = Square::ALL.into_iter().map(|square| {
        let change = if reader.bit()? { Some(reader.take_u8(4)?) } else { None };
        if change == Some(0) {
            return Err(DecodeError::NotCanonical);
        }
        Ok((square, board::symbol(&initial, square) ^ change.unwrap_or(0)))
    });
    board::from_symbols(symbols, "invalid nibble")
}
