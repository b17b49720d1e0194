//! `mixed13`: like `base13`, but pawns are excluded from the first and eighth rank. The source calls it "variable
//! base".
//!
//! ```text
//! | the 64 digits as one number, a1 the most significant, 233 bits |
//!   ranks 2 … 7, radix 13:  0 empty   1 … 6 white P N B R Q K   7 … 12 black
//!   ranks 1 and 8, radix 11:  0 empty   1 … 5 white N B R Q K   6 … 10 black
//! ```
//!
//! Cost: ⌈16·log2 11 + 48·log2 13⌉ = 233 bits, always. A pawn on the first or eighth rank cannot be stored.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009).
//!
//! ```
//! use plybook_chess::chess::Fen;
//! use plybook_encodings::mixed13::MIXED13;
//! let fen: Fen = "8/8/8/8/8/8/8/7n w".parse().unwrap();
//! let bits = MIXED13.encode(fen.as_setup()).unwrap();
//! assert_eq!(bits.len(), 233);
//! assert!(MIXED13.encode("8/8/8/8/8/8/8/7P w".parse::<Fen>().unwrap().as_setup()).is_err());
//! ```
//!
//! # Stability
//! Frozen.

use super::{Fields, PositionCodec, board, invalid};
use plybook_chess::{
    bits::{BitReader, Bits, Integer},
    chess::{Bitboard, Board, Setup, Square},
    codec::DecodeError,
};

/// ⌈log2 (11^16 · 13^48)⌉.
const WIDTH: usize = 233;

/// The codec `mixed13`.
pub const MIXED13: PositionCodec = PositionCodec {
    name: "mixed13",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: WIDTH,
    worst_bits: Some(WIDTH),
    summary: "base 13, but base 11 on the ranks without pawns",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    board::no_pawn_on_edge(&setup.board)?;
    write_squares(&setup.board, radix, bits, WIDTH);
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    read_squares(reader, radix, WIDTH)
}

/// The number of possible contents of a square.
fn radix(square: Square) -> u8 {
    if Bitboard::BACKRANKS.contains(square) { 11 } else { 13 }
}

/// Writes the squares as one number with radices of 13, or 11 without pawns.
pub(super) fn write_squares(board: &Board, radix: fn(Square) -> u8, bits: &mut Bits, width: usize) {
    let digit = |square| match (board::symbol(board, square), radix(square)) {
        (0, _) => 0,
        (symbol, 13) => symbol,
        (symbol, _) if symbol > 6 => symbol - 2,
        (symbol, _) => symbol - 1,
    };
    let add = |number, square| number * radix(square) + digit(square);
    bits.push_integer(&Square::ALL.into_iter().fold(Integer::ZERO, add), width);
}

/// Reads what [`write_squares`] writes.
pub(super) fn read_squares(
    reader: &mut BitReader<'_>,
    radix: fn(Square) -> u8,
    width: usize,
) -> Result<Setup, DecodeError> {
    let mut number = reader.take_integer(width)?;
    let symbols = Square::ALL.into_iter().rev().map(|square| {
        // A remainder is below its radix.
        let digit = u8::try_from(&number % radix(square)).unwrap_or(0);
        number /= radix(square);
        let symbol = match (digit, radix(square)) {
            (0, _) => 0,
            (digit, 13) => digit,
            (digit @ 1..=5, _) => digit + 1,
            (digit, _) => digit + 2,
        };
        Ok((square, symbol))
    });
    let setup = board::from_symbols(symbols, "invalid digit")?;
    if number == Integer::ZERO { Ok(setup) } else { Err(invalid("the number is too large for 64 squares")) }
}
