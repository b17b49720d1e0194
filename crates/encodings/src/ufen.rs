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
//! check, check and checkmate before the en passant square: [`Ufen::check`].
//!
//! ```
//! use plybook_chess::chess::Setup;
//! use plybook_encodings::{PositionCodec, ufen::UFEN};
//! let bits = UFEN.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.len(), 281);
//! assert_eq!(bits.bytes()[..4], [0xca, 0xbd, 0xeb, 0xac]); // r n b q k b n r
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

/// The codec `ufen`, without the check field.
pub static UFEN: Ufen = Ufen { check: false };

/// The codec with its option.
pub struct Ufen {
    /// Whether 2 bits are added for no check, check or checkmate.
    pub check: bool,
}

impl PositionCodec for Ufen {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "ufen",
            year: 2015,
            source: "an answer on Chess Stack Exchange",
            fields: suffix::FIELDS,
            start_bits: 281,
            worst_bits: Some(287),
            summary: "64 nibbles, then a packed suffix",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let mut bits = Bits::default();
        for square in board::fen_order() {
            let symbol = board::symbol(&setup.board, square);
            bits.push(if symbol > 6 { symbol + 2 } else { symbol }.into(), 4);
        }
        suffix::write(setup, self.check, &mut bits).map_err(|what| cannot_hold(self, what))?;
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let mut board = Board::empty();
        for square in board::fen_order() {
            let symbol = match reader.take_u8(4)? {
                nibble @ 0..=6 => nibble,
                nibble @ 9..=14 => nibble - 2,
                _ => return Err(invalid("invalid nibble")),
            };
            if let Some(Some(piece)) = board::man(symbol) {
                board.set_piece_at(square, piece);
            }
        }
        let setup = suffix::read(reader, board, self.check)?;
        only_form(self, setup, bytes)
    }
}
