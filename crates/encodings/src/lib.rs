//! Encodings of single positions, from 1982 to our own.
//!
//! They take a [`Setup`], an arrangement of pieces that nobody has judged, and hold it as far as their format
//! can; what it cannot is an [`EncodeError::CannotHold`]. Each says what it [carries](Fields). Squares are
//! numbered a1 = 0, b1 = 1 … h8 = 63 (board order); FEN order is a8 … h8, a7 … h1. A field of N states takes
//! ⌈log2 N⌉ bits, the most significant first, and the last byte is filled up with zero bits.
//!
//! Adding an encoding is one file and one line in [`POSITION_CODECS`].
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

use plybook_chess::codec::{DecodeError, EncodeError};
use plybook_chess::{bits::Bits, chess::Setup};

/// What a table of encodings says about one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionCodecInfo {
    /// The name, for ever.
    pub name: &'static str,
    /// The year of the source.
    pub year: u16,
    /// Who thought of it, and where.
    pub source: &'static str,
    /// What survives a round trip.
    pub fields: Fields,
    /// The cost of the initial position in bits.
    pub start_bits: usize,
    /// The most bits a lawful position can take, where that is known.
    pub worst_bits: Option<usize>,
    /// What it is, in one line.
    pub summary: &'static str,
}

/// An encoding of positions.
pub trait PositionCodec: Sync {
    /// Name, source, cost and what it carries.
    fn info(&self) -> &'static PositionCodecInfo;

    /// Writes a position.
    ///
    /// # Errors
    /// The format cannot hold it.
    fn encode(&self, setup: &Setup) -> Result<Bits, EncodeError>;

    /// Reads a position. What the encoding does not carry has its default: White to move, no castling rights,
    /// no en passant square, clocks at 0 and 1.
    ///
    /// # Errors
    /// The bytes are no position, or not the one form of it.
    fn decode(&self, bytes: &[u8]) -> Result<Setup, DecodeError>;
}

/// Every encoding of positions, in the order of the documentation.
pub static POSITION_CODECS: [&dyn PositionCodec; 15] = [
    &fen::FenText,
    &cfen::CFEN,
    &ufen::UFEN,
    &nibble::Nibble,
    &nibble_state::NibbleState,
    &base13::Base13,
    &mixed13::Mixed13,
    &huffman::Huffman,
    &delta::Delta,
    &pieces::Pieces,
    &pieces_dense::PiecesDense,
    &combined::Combined,
    &yoder::Yoder,
    &duchess::Duchess,
    &ranked::RANKED,
];

/// The encoding with a name.
///
/// ```
/// use plybook_chess::chess::Setup;
/// let yoder = plybook_encodings::by_name("yoder").unwrap();
/// assert_eq!(yoder.encode(&Setup::initial()).unwrap().len(), 155);
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn PositionCodec> {
    POSITION_CODECS.iter().copied().find(|codec| codec.info().name == name)
}

/// The error of a codec that cannot hold something.
fn cannot_hold(codec: &dyn PositionCodec, what: &'static str) -> EncodeError {
    EncodeError::CannotHold { codec: codec.info().name, what }
}

/// The error of bytes that mean nothing.
fn invalid(what: &'static str) -> DecodeError {
    DecodeError::Invalid { what }
}

/// Lets a decoded position pass if these bytes are the ones that it is encoded in.
fn only_form(codec: &dyn PositionCodec, setup: Setup, bytes: &[u8]) -> Result<Setup, DecodeError> {
    let form = codec.encode(&setup).map_err(|_| invalid("no position that the encoder writes"))?;
    if form.bytes() == bytes { Ok(setup) } else { Err(DecodeError::NotCanonical) }
}
