//! `base13`: the 64 squares as one number in base 13.
//!
//! ```text
//! | p(a1)·13^63 + p(b1)·13^62 + … + p(h8), 237 bits |    p: 0 empty   1 … 6 white P N B R Q K   7 … 12 black
//! ```
//!
//! Cost: ⌈64·log2 13⌉ = 237 bits, always.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), "base 13".
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::{PositionCodec, base13::Base13};
//! let empty = Base13.encode(&Setup::empty()).unwrap();
//! assert_eq!((empty.len(), empty.bytes()), (237, &[0; 30][..]));
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, PositionCodecInfo, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits, Integer},
    chess::{Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// ⌈log2 13^64⌉.
const WIDTH: usize = 237;

/// The codec `base13`.
pub struct Base13;

impl PositionCodec for Base13 {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "base13",
            year: 2009,
            source: "William Shields, Stack Overflow",
            fields: Fields::L,
            start_bits: WIDTH,
            worst_bits: Some(WIDTH),
            summary: "64 digits in base 13 as one number",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let digits = Square::ALL.map(|square| board::symbol(&setup.board, square));
        let number = digits.iter().fold(Integer::ZERO, |number, digit| number * 13u8 + digit);
        let mut bits = Bits::default();
        bits.push_integer(&number, WIDTH);
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let mut number = reader.take_integer(WIDTH)?;
        reader.finish()?;
        let mut symbols = Vec::with_capacity(64);
        for square in Square::ALL.into_iter().rev() {
            // A remainder modulo 13 is a symbol.
            symbols.push((square, u8::try_from(&number % 13u8).unwrap_or(0)));
            number /= 13u8;
        }
        if number != Integer::ZERO {
            return Err(invalid("the number is too large for 64 squares"));
        }
        let board = board::from_symbols(symbols).ok_or(invalid("invalid digit"))?;
        Ok(Setup { board, ..Setup::empty() })
    }
}
