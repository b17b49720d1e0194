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
//! use plybook_encodings::combined::COMBINED;
//! let endgame: Fen = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1".parse().unwrap();
//! let bits = COMBINED.encode(endgame.as_setup()).unwrap();
//! assert!(bits.to_string().starts_with("11"), "two kings and a pawn are listed");
//! assert_eq!(bits.len(), 2 + 2 * (6 + 4) + 2 * 1 + 3 + 6);
//! ```
//!
//! # Stability
//! Frozen.

use super::{
    Fields, PositionCodec, delta::DELTA, huffman::HUFFMAN, invalid, mixed13::MIXED13,
    pieces_dense::PIECES_DENSE,
};
use plybook_chess::{
    bits::{BitReader, Bits},
    chess::Setup,
    codec::DecodeError,
};

/// The four encodings, in the order of their two bits.
const CHOICES: [PositionCodec; 4] = [MIXED13, HUFFMAN, DELTA, PIECES_DENSE];

/// The codec `combined`.
pub const COMBINED: PositionCodec = PositionCodec {
    name: "combined",
    year: 2009,
    source: "William Shields, Stack Overflow",
    fields: Fields::L,
    start_bits: 66,
    worst_bits: Some(235),
    summary: "the shortest of mixed13, huffman, delta and pieces-dense",
    write,
    read,
};

fn write(setup: &Setup, bits: &mut Bits) -> Result<(), &'static str> {
    let tried = (0..).zip(CHOICES).filter_map(|(choice, codec)| Some((choice, codec.encode(setup).ok()?)));
    let best = tried.min_by_key(|(_, bits)| bits.len());
    // `min_by_key` returns the first of equal elements.
    let (choice, chosen) = best.ok_or("this position in any of its four ways")?;
    bits.push(choice, 2);
    bits.append(&chosen);
    Ok(())
}

fn read(reader: &mut BitReader<'_>) -> Result<Setup, DecodeError> {
    let choice = CHOICES.get(usize::from(reader.take_u8(2)?)).ok_or(invalid("invalid choice"))?;
    (choice.read)(reader)
}
