//! `ufen` (µFEN): a nibble per square and the suffix of `cfen`.
//!
//! ```text
//! | 64 nibbles, a8 to h1 | turn, castling, clocks, en passant |
//!   0 empty   1 … 6 white P N B R Q K   9 … 14 black   (7, 8, 15 unused)
//! ```
//!
//! Cost: 281 bits, 287 with an en passant square. The check option adds 2: 289.
//!
//! Source: the fifth source text (an answer on Chess Stack Exchange, 2015). Its third note suggests 2 bits for no
//! check, check and checkmate before the en passant square: [`UFEN_CHECK`].
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::ufen::UFEN;
//! let bits = UFEN.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.len(), 281);
//! assert_eq!(bits.bytes()[..4], [0xca, 0xbd, 0xeb, 0xac]); // r n b q k b n r
//! ```
//!
//! # Stability
//! Frozen.

use super::{PositionCodec, board, invalid, suffix};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::Setup,
    codec::DecodeError,
};

/// The codec `ufen`, without the check field.
pub const UFEN: PositionCodec = PositionCodec {
    name: "ufen",
    year: 2015,
    source: "an answer on Chess Stack Exchange",
    fields: suffix::FIELDS,
    start_bits: 281,
    worst_bits: Some(287),
    summary: "64 nibbles, then a packed suffix",
    write: |setup, bits| write(setup, false, bits),
    read: |reader| read(reader, false),
};

/// `ufen` with 2 more bits for no check, check or checkmate.
pub const UFEN_CHECK: PositionCodec = PositionCodec {
    start_bits: 283,
    worst_bits: Some(289),
    write: |setup, bits| write(setup, true, bits),
    read: |reader| read(reader, true),
    ..UFEN
};

fn write(setup: &Setup, check: bool, bits: &mut Bits) -> Result<(), &'static str> {
    for square in board::fen_order() {
        let symbol = board::symbol(&setup.board, square);
        bits.push(if symbol > 6 { symbol + 2 } else { symbol }.into(), 4);
    }
    suffix::write(setup, check, bits)
}

fn read(reader: &mut BitReader<'_>, check: bool) -> Result<Setup, DecodeError> {
    let symbols = board::fen_order().map(|square| match reader.take_u8(4)? {
        nibble @ 0..=6 => Ok((square, nibble)),
        nibble @ 9..=14 => Ok((square, nibble - 2)),
        _ => Err(invalid("invalid nibble")),
    });
    let layout = board::from_symbols(symbols, "invalid nibble")?;
    suffix::read(reader, layout.board, check)
}
