//! `fen`: the FEN text itself, 8 bits per character.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! placement, a8 to h1            side to move, castling, en passant, half-moves, full moves
//! ```
//!
//! Cost: 448 bits for the initial position; at most 712 according to the fifth source text (64 pieces, 89 characters).
//! It is the reference for all others, and the only one that stores the additional fields of variants.
//!
//! Source: Forsyth–Edwards notation, in the PGN standard of Steven J. Edwards (1994) after David Forsyth (1883).
//! Castling is written as in X-FEN: KQkq, or the file of an inner rook.
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::fen::FEN;
//! let bits = FEN.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.bytes(), b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//! assert_eq!(bits.len(), 448);
//! ```
//!
//! # Stability
//! Frozen: only the spelling that the encoder writes is accepted.

use super::{Clocks, Fields, PositionCodec, invalid, rest};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Fen, Setup},
    codec::DecodeError,
};

/// The codec `fen`.
pub const FEN: PositionCodec = PositionCodec {
    name: "fen",
    year: 1994,
    source: "Steven J. Edwards, PGN standard",
    fields: Fields { clocks: Clocks::Always, variants: true, ..Fields::LTCE },
    start_bits: 448,
    worst_bits: Some(712),
    summary: "the FEN text, 8 bits per character",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    let fen = Fen::try_from_setup(setup.clone());
    let fen = fen.map_err(|_| "castling rights or pieces in hand that FEN cannot represent")?;
    fen.to_string().bytes().for_each(|byte| bits.push(byte.into(), 8));
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    Ok(Fen::from_ascii(&rest(reader)?).map_err(|_| invalid("invalid FEN"))?.into_setup())
}
