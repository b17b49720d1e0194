//! `nibble`: half a byte per square and nothing else.
//!
//! ```text
//! | 64 nibbles, a1 to h8 |      0 empty   1 … 6 white P N B R Q K   7 … 12 black   (13, 14, 15 unused)
//! ```
//!
//! Cost: 256 bits, always. It stores only the layout; `nibble-state` uses the spare values.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), "the simple material".
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::{PositionCodec, nibble::Nibble};
//! let bits = Nibble.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.bytes()[..5], [0x42, 0x35, 0x63, 0x24, 0x11]); // R N B Q K B N R P P
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, PositionCodecInfo, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Setup, Square},
    codec::{DecodeError, EncodeError},
};

/// The codec `nibble`.
pub struct Nibble;

impl PositionCodec for Nibble {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "nibble",
            year: 2009,
            source: "William Shields, Stack Overflow",
            fields: Fields::L,
            start_bits: 256,
            worst_bits: Some(256),
            summary: "64 nibbles",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let mut bits = Bits::default();
        for square in Square::ALL {
            bits.push(board::symbol(&setup.board, square).into(), 4);
        }
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let mut symbols = Vec::with_capacity(64);
        for square in Square::ALL {
            symbols.push((square, reader.take_u8(4)?));
        }
        reader.finish()?;
        let board = board::from_symbols(symbols).ok_or(invalid("invalid nibble"))?;
        Ok(Setup { board, ..Setup::empty() })
    }
}
