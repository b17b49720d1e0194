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
//! use plybook_encodings::base13::BASE13;
//! let empty = BASE13.encode(&Setup::empty()).unwrap();
//! assert_eq!((empty.len(), empty.bytes()), (237, &[0; 30][..]));
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, mixed13};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::Setup,
    codec::DecodeError,
};

/// ⌈log2 13^64⌉.
const WIDTH: usize = 237;

/// The codec `base13`.
pub const BASE13: PositionCodec = PositionCodec {
    name: "base13",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: WIDTH,
    worst_bits: Some(WIDTH),
    summary: "64 digits in base 13 as one number",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    mixed13::write_squares(&setup.board, |_| 13, bits, WIDTH);
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    mixed13::read_squares(reader, |_| 13, WIDTH)
}
