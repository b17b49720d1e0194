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
//! use plybook_encodings::{PositionCodec, delta::Delta};
//! let after_e4: Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse().unwrap();
//! assert_eq!(Delta.encode(after_e4.as_setup()).unwrap().len(), 64 + 2 * 4);
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, PositionCodecInfo, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// The codec `delta`.
pub struct Delta;

impl PositionCodec for Delta {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "delta",
            year: 2009,
            source: "William Shields, Stack Overflow",
            fields: Fields::L,
            start_bits: 64,
            worst_bits: Some(320),
            summary: "nibbles XOR those of the initial position, with a 0 as one bit",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let (initial, mut bits) = (Board::new(), Bits::default());
        for square in Square::ALL {
            let change = board::symbol(&setup.board, square) ^ board::symbol(&initial, square);
            bits.push_bit(change != 0);
            if change != 0 {
                bits.push(change.into(), 4);
            }
        }
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let board = read(&mut reader)?;
        reader.finish()?;
        Ok(Setup { board, ..Setup::empty() })
    }
}

/// Reads a board.
pub(super) fn read(reader: &mut BitReader<'_>) -> Result<Board, DecodeError> {
    let (initial, mut symbols) = (Board::new(), Vec::with_capacity(64));
    for square in Square::ALL {
        let change = if reader.bit()? { Some(reader.take_u8(4)?) } else { None };
        if change == Some(0) {
            return Err(DecodeError::NotCanonical);
        }
        symbols.push((square, board::symbol(&initial, square) ^ change.unwrap_or(0)));
    }
    board::from_symbols(symbols).ok_or(invalid("invalid nibble"))
}
