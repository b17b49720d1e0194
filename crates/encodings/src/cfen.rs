//! `cfen`: compressed FEN. The placement without its slashes, 5 bits per symbol, then a packed suffix.
//!
//! ```text
//! | symbols, 5 bits each, until 64 squares are full | turn, castling, clocks, en passant |
//!   0 … 19: k K q Q r R b B n N p P 1 2 3 4 5 6 7 8 (consecutive empty squares within a rank)
//! ```
//!
//! Cost: 205 bits for the initial position; at most 64·5 + 31 = 351. The check option adds 2.
//!
//! Source: the fifth source text (an answer on Chess Stack Exchange, 2015). Its third note suggests 2 bits for no
//! check, check and checkmate before the en passant square: [`CFEN_CHECK`].
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::cfen::{CFEN, CFEN_CHECK};
//! let setup = Setup::initial();
//! assert_eq!(CFEN.encode(&setup).unwrap().len(), 205);
//! assert_eq!(CFEN_CHECK.encode(&setup).unwrap().len(), 207);
//! ```
//!
//! # Stability
//! Frozen.

use super::{PositionCodec, board, invalid, suffix};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Piece, Setup},
    codec::DecodeError,
};

/// The symbols; the index of a symbol is its number.
const SYMBOLS: &str = "kKqQrRbBnNpP12345678";

/// The codec `cfen`, without the check field.
pub const CFEN: PositionCodec = PositionCodec {
    name: "cfen",
    year: 2015,
    source: "an answer on Chess Stack Exchange",
    fields: suffix::FIELDS,
    start_bits: 205,
    worst_bits: Some(351),
    summary: "FEN's placement in 5 bits per symbol, then a packed suffix",
    write: |setup, bits| write(setup, false, bits),
    read: |reader| read(reader, false),
};

/// `cfen` with 2 more bits for no check, check or checkmate.
pub const CFEN_CHECK: PositionCodec = PositionCodec {
    start_bits: 207,
    worst_bits: Some(353),
    write: |setup, bits| write(setup, true, bits),
    read: |reader| read(reader, true),
    ..CFEN
};

fn write(setup: &Setup, check: bool, bits: &mut Bits) -> Result<(), &'static str> {
    let placement = setup.board.board_fen().to_string();
    for symbol in placement.chars().filter_map(|char| SYMBOLS.find(char)) {
        bits.push(u64::try_from(symbol).unwrap_or(0), 5);
    }
    suffix::write(setup, check, bits)
}

fn read(reader: &mut BitReader<'_>, check: bool) -> Result<Setup, DecodeError> {
    let (mut board, mut squares) = (Board::empty(), board::fen_order().peekable());
    while squares.peek().is_some() {
        let number = usize::from(reader.take_u8(5)?);
        let symbol = SYMBOLS.chars().nth(number).ok_or(invalid("invalid symbol"))?;
        match symbol.to_digit(10) {
            Some(empty) => {
                for _ in 0..empty {
                    squares.next().ok_or(invalid("more than 64 squares"))?;
                }
            }
            None => {
                let piece = Piece::from_char(symbol).zip(squares.next());
                let (piece, square) = piece.ok_or(invalid("invalid symbol"))?;
                board.set_piece_at(square, piece);
            }
        }
    }
    suffix::read(reader, board, check)
}
