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
//! use plybook_encodings::{PositionCodec, fen::FenText};
//! let bits = FenText.encode(&Setup::initial()).unwrap();
//! assert_eq!(bits.bytes(), b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//! assert_eq!(bits.len(), 448);
//! ```
//!
//! # Stability
//! Frozen: only the spelling that the encoder writes is accepted.

use super::{Clocks, Fields, PositionCodec, PositionCodecInfo, cannot_hold, invalid, only_form};
use plybook_chess::{
    bits::Bits,
    chess::{Fen, Setup},
    codec::{DecodeError, EncodeError},
};

/// The codec `fen`.
pub struct FenText;

impl PositionCodec for FenText {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "fen",
            year: 1994,
            source: "Steven J. Edwards, PGN standard",
            fields: Fields { clocks: Clocks::Always, variants: true, ..Fields::LTCE },
            start_bits: 448,
            worst_bits: Some(712),
            summary: "the FEN text, 8 bits per character",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let fen = Fen::try_from_setup(setup.clone());
        let fen = fen
            .map_err(|_| cannot_hold(self, "castling rights or pieces in hand that FEN cannot represent"))?;
        Ok(Bits::from_bytes(fen.to_string().into_bytes()))
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let fen = Fen::from_ascii(bytes).map_err(|_| invalid("invalid FEN"))?;
        only_form(self, fen.into_setup(), bytes)
    }
}
