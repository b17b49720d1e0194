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
//! use plybook_encodings::nibble::NIBBLE;
//! let bits = NIBBLE.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.bytes()[..5], [0x42, 0x35, 0x63, 0x24, 0x11]); // R N B Q K B N R P P
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, board};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Setup, Square},
    codec::DecodeError,
};

/// The codec `nibble`.
pub const NIBBLE: PositionCodec = PositionCodec {
    name: "nibble",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 256,
    worst_bits: Some(256),
    summary: "64 nibbles",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    for square in Square::ALL {
        bits.push(board::symbol(&setup.board, square).into(), 4);
    }
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let symbols = Square::ALL.into_iter().map(|square| Ok((square, reader.take_u8(4)?)));
    board::from_symbols(symbols, "invalid nibble")
}
