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
//! check, check and checkmate before the en passant square: [`Cfen::check`].
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::{PositionCodec, cfen::{CFEN, Cfen}};
//! let setup = Setup::initial();
//! assert_eq!(CFEN.encode(&setup).unwrap().len(), 205);
//! assert_eq!(Cfen { check: true }.encode(&setup).unwrap().len(), 207);
//! ```
//!
//! # Stability
//! Frozen.

use super::{PositionCodec, PositionCodecInfo, board, cannot_hold, invalid, only_form, suffix};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::{Board, Setup},
    codec::{DecodeError, EncodeError},
};

/// The symbols; the index of a symbol is its number.
const SYMBOLS: &str = "kKqQrRbBnNpP12345678";

/// The codec `cfen`, without the check field.
pub static CFEN: Cfen = Cfen { check: false };

/// The codec with its option.
pub struct Cfen {
    /// Whether 2 bits are added for no check, check or checkmate.
    pub check: bool,
}

impl PositionCodec for Cfen {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "cfen",
            year: 2015,
            source: "an answer on Chess Stack Exchange",
            fields: suffix::FIELDS,
            start_bits: 205,
            worst_bits: Some(351),
            summary: "FEN's placement in 5 bits per symbol, then a packed suffix",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let mut bits = Bits::default();
        let placement = setup.board.board_fen().to_string();
        for symbol in placement.chars().filter_map(|char| SYMBOLS.find(char)) {
            bits.push(u64::try_from(symbol).unwrap_or(0), 5);
        }
        suffix::write(setup, self.check, &mut bits).map_err(|what| cannot_hold(self, what))?;
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
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
                    let piece = plybook_chess::chess::Piece::from_char(symbol).zip(squares.next());
                    let (piece, square) = piece.ok_or(invalid("invalid symbol"))?;
                    board.set_piece_at(square, piece);
                }
            }
        }
        let setup = suffix::read(reader, board, self.check)?;
        only_form(self, setup, bytes)
    }
}
