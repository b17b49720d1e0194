//! Encodings of single positions, from 1982 to our own.
//!
//! They encode a [`Setup`], an unchecked arrangement of pieces, as far as their format allows; anything else is an
//! [`EncodeError::CannotHold`]. Each lists the [fields](Fields) that it stores. Squares are numbered a1 = 0, b1 = 1 …
//! h8 = 63 (board order); FEN order is a8 … h8, a7 … h1. A field with N states takes ⌈log2 N⌉ bits, most significant
//! first, and the last byte is padded with zero bits.
//!
//! To add an encoding, write one file and one line in [`POSITION_CODECS`].
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

pub mod base13;
mod board;
mod castling;
pub mod cfen;
pub mod combined;
pub mod delta;
pub mod duchess;
pub mod fen;
mod fields;
pub mod huffman;
pub mod mixed13;
pub mod nibble;
pub mod nibble_state;
pub mod pieces;
pub mod pieces_dense;
pub mod ranked;
mod suffix;
mod tricks;
pub mod ufen;
pub mod yoder;

pub use fields::{Clocks, EnPassant, Fields};

use plybook_chess::{
    bits::{BitReader, Bits},
    chess::Setup,
    codec::{DecodeError, EncodeError},
};

/// An encoding of positions.
#[derive(Clone, Copy, Debug)]
pub struct PositionCodec {
    /// The permanent name.
    pub name: &'static str,
    /// The year of the source.
    pub year: u16,
    /// The author and the publication.
    pub source: &'static str,
    /// The fields that survive a round trip.
    pub fields: Fields,
    /// The size of the initial position in bits.
    pub start_bits: usize,
    /// The maximum size of a legal position in bits, if known.
    pub worst_bits: Option<usize>,
    /// A one-line description.
    pub summary: &'static str,
    /// Appends a position, or returns what the format cannot represent.
    pub write: fn(&Setup, &mut Bits) -> Result<(), &'static str>,
    /// Reads a position, which need not be canonically encoded.
    pub read: fn(&mut BitReader<'_>) -> Result<Setup, DecodeError>,
}

impl PositionCodec {
    /// Encodes a position.
    ///
    /// # Errors
    /// The format cannot represent the position.
    pub fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError> {
        let mut bits = Bits::default();
        let written = (self.write)(setup, &mut bits);
        written.map_err(|what| EncodeError::CannotHold(self.name, what))?;
        Ok(bits)
    }

    /// Decodes a position. Fields that the encoding does not store get default values: White to move, no castling
    /// rights, no en passant square, clocks at 0 and 1.
    ///
    /// # Errors
    /// The bytes are not a position, or not its canonical encoding.
    pub fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError> {
        let mut reader = BitReader::new(bytes);
        let setup = (self.read)(&mut reader)?;
        reader.finish()?;
        let form = self.encode(&setup).map_err(|_| invalid("a position that cannot be encoded"))?;
        if form.bytes() == bytes { Ok(setup) } else { Err(DecodeError::NotCanonical) }
    }
}

/// Every encoding of positions, in the order of the documentation.
pub static POSITION_CODECS: [&PositionCodec; 15] = [
    &fen::FEN,
    &cfen::CFEN,
    &ufen::UFEN,
    &nibble::NIBBLE,
    &nibble_state::NIBBLE_STATE,
    &base13::BASE13,
    &mixed13::MIXED13,
    &huffman::HUFFMAN,
    &delta::DELTA,
    &pieces::PIECES,
    &pieces_dense::PIECES_DENSE,
    &combined::COMBINED,
    &yoder::YODER,
    &duchess::DUCHESS,
    &ranked::RANKED,
];

/// The encoding with the given name.
///
/// ```
/// use plybook_chess::chess::Setup;
/// let yoder = plybook_encodings::by_name("yoder").unwrap();
/// assert_eq!(yoder.encode(&Setup::initial()).unwrap().len(), 155);
/// ```
pub fn by_name(name: &str) -> Option<&'static PositionCodec> {
    POSITION_CODECS.into_iter().find(|codec| codec.name == name)
}

/// The error for invalid bytes.
fn invalid(what: &'static str) -> DecodeError {
    DecodeError::Invalid(what)
}

/// Reads the remaining bytes.
fn rest(reader: &mut BitReader<'_>) -> Result<Vec<u8>, DecodeError> {
    (0..reader.left() / 8).map(|_| Ok(reader.take_u8(8)?)).collect()
}
