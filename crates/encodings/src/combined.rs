//! `combined`: the shortest of four encodings, with two bits to identify it.
//!
//! ```text
//! | 0 mixed13   1 huffman   2 delta   3 pieces-dense, 2 | its bits |
//! ```
//!
//! Of equally short ones the first is used. An encoding that cannot represent the position is skipped.
//!
//! Cost: 66 bits for the initial position.
//!
//! Source: the second source text (William Shields on Stack Overflow, 2009), "combined approach".
//!
//! ```
//! use plybook_chess::chess::Fen;
//! use plybook_encodings::{PositionCodec, combined::Combined};
//! let endgame: Fen = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1".parse().unwrap();
//! let bits = Combined.encode(endgame.as_setup()).unwrap();
//! assert!(bits.to_string().starts_with("11"), "two kings and a pawn are listed");
//! assert_eq!(bits.len(), 2 + 2 * (6 + 4) + 2 * 1 + 3 + 6);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    Fields, PositionCodec, PositionCodecInfo, cannot_hold,
    delta::{self, Delta},
    huffman::{self, Huffman},
    mixed13::{self, Mixed13},
    only_form,
    pieces_dense::{self, PiecesDense},
};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::Setup,
    codec::{DecodeError, EncodeError},
};

/// The four encodings, in the order of their two bits.
const CHOICES: [&dyn PositionCodec; 4] = [&Mixed13, &Huffman, &Delta, &PiecesDense];

/// The codec `combined`.
pub struct Combined;

impl PositionCodec for Combined {
    fn info(&self) -> &'static PositionCodecInfo {
        &PositionCodecInfo {
            name: "combined",
            year: 2009,
            source: "William Shields, Stack Overflow",
            fields: Fields::L,
            start_bits: 66,
            worst_bits: Some(235),
            summary: "the shortest of mixed13, huffman, delta and pieces-dense",
        }
    }

    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let tried =
            (0..).zip(CHOICES).filter_map(|(choice, codec)| Some((choice, codec.encode(setup).ok()?)));
        let best = tried.min_by_key(|(_, bits)| bits.len());
        // `min_by_key` returns the first of equal elements.
        let (choice, chosen) = best.ok_or(cannot_hold(self, "this position in any of its four ways"))?;
        let mut bits = Bits::default();
        bits.push(choice, 2);
        bits.append(&chosen);
        Ok(bits)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let board = match reader.take(2)? {
            0 => mixed13::read(&mut reader),
            1 => huffman::read(&mut reader),
            2 => delta::read(&mut reader),
            _ => pieces_dense::read(&mut reader),
        }?;
        reader.finish()?;
        only_form(self, Setup { board, ..Setup::empty() }, bytes)
    }
}
