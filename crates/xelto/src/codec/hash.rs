//! Two encodings of positions, with the same structure: a few characters of flags, then one character per piece.
//!
//! Characters are those of base64url, six bits each, highest first. The rules in use are not part of a hash.
//!
//! # Stability
//! Frozen. A change would need a new encoding.

use super::base64url;
use crate::{Piece, Piece::*, PieceLocation, Pieces, Position, SetupError, Side, Square};
use plybook_chess::bits::{BitReader, Bits};

/// `hash34`: a position in 34 characters, 204 bits.
///
/// ```text
/// 5 characters    1 bit the side to move (0 arxe, 1 sorn), 29 bits the turned pieces, in their order
/// 29 characters   the location of each piece, in their order:
///                 0 to 48 a square, 49 in hand, 50 mounted, 51 in the box
/// ```
///
/// No information is lost: a captured piece always belongs to the other side's hand or mount.
///
/// Source: the hash described in the third source text. The meaning of the first bit, and that Teems is the last
/// piece, are ours.
///
/// ```
/// use plybook_xelto::{codec::HASH34, Position};
///
/// let hash = HASH34.encode(&Position::start());
/// assert_eq!(hash, "AAAAAuvrokqswnjlmptANFIMHEGLBCKJDY");
/// assert_eq!(HASH34.decode(&hash), Ok(Position::start()));
/// ```
pub static HASH34: PositionHash = PositionHash { flag_chars: 5, flags: &Piece::ALL, places: &Piece::ALL };

/// `hash32`: a position in 32 characters, 192 bits. It is like [`HASH34`], without the flags of the pieces that cannot
/// be turned.
///
/// ```text
/// 3 characters    1 bit the side to move, 15 bits the turned pieces, 2 bits zero
/// 29 characters   the location of each piece
/// ```
///
/// The flags are those of `pal ful mik fav zan gil ruj`, `tan jil lax mat kun rez din` and `tem`. The locations are in
/// the order of the pieces in the start position: for each side the front row, then the rear row, from left to right
/// as seen by its player, and Teems last.
///
/// Source: the third source text, which gives the sizes and the first pieces of the initial order. The rest of that
/// order is ours.
///
/// ```
/// use plybook_xelto::{codec::HASH32, Position};
///
/// let hash = HASH32.encode(&Position::start());
/// assert_eq!(hash, "AAAjklmnopqrstuvwNMLKJIHGFEDCBAY");
/// assert_eq!(HASH32.decode(&hash), Ok(Position::start()));
/// ```
pub static HASH32: PositionHash = PositionHash {
    flag_chars: 3,
    flags: &[Pal, Ful, Mik, Fav, Zan, Gil, Ruj, Tan, Jil, Lax, Mat, Kun, Rez, Din, Tem],
    places: &[
        Pal, Ful, Mik, Fav, Zan, Gil, Ruj, Dyu, Lis, Mel, Ser, Dia, Vio, Ral, //
        Tan, Jil, Lax, Mat, Kun, Rez, Din, Len, Lin, Ket, Mir, Pin, Nen, Rav, //
        Tem,
    ],
};

/// An encoding of positions.
#[derive(Debug)]
pub struct PositionHash {
    /// Characters of flags: the side to move, the turned pieces, zero bits.
    flag_chars: usize,
    /// The pieces that have a flag, in order.
    flags: &'static [Piece],
    /// All pieces, in order.
    places: &'static [Piece; Piece::COUNT],
}

impl PositionHash {
    /// The hash of a position.
    pub fn encode(&self, position: &Position) -> String {
        let mut bits = Bits::default();
        bits.push_bit(position.mover() == Side::Sorn);
        self.flags.iter().for_each(|&piece| bits.push_bit(position.is_turned(piece)));
        bits.push(0, self.spare_bits());
        self.places.iter().for_each(|&piece| bits.push(place_value(position.place(piece)).into(), 6));
        base64url::text(bits)
    }

    /// The position of a hash, with the default rules.
    ///
    /// # Errors
    /// The text is not a hash, or no game can reach its position.
    pub fn decode(&self, hash: &str) -> Result<Position, HashError> {
        let chars = self.places.len() + self.flag_chars;
        let text: String = hash.chars().take(chars + 1).collect();
        let bits = base64url::bits(&text).map_err(HashError::Character)?;
        if bits.len() != 6 * chars {
            return Err(HashError::Length(chars));
        }
        let mut reader = BitReader::new(bits.bytes());
        let mut take = |width| reader.take_u8(width).map_err(|_| HashError::Length(chars));
        let mover = if take(1)? == 0 { Side::Arxe } else { Side::Sorn };
        let mut turned = Pieces::NONE;
        for &piece in self.flags {
            if take(1)? == 1 {
                turned.insert(piece);
            }
        }
        if take(self.spare_bits())? != 0 {
            return Err(HashError::SpareBits);
        }
        let mut places = [PieceLocation::Boxed; Piece::COUNT];
        for &piece in self.places {
            let place = place_of(take(6)?).ok_or(HashError::NoPlace(piece))?;
            places.get_mut(usize::from(piece.id())).into_iter().for_each(|known| *known = place);
        }
        Ok(Position::set_up(mover, places, turned)?)
    }

    /// Unused bits in the characters of the flags.
    const fn spare_bits(&self) -> usize {
        6 * self.flag_chars - 1 - self.flags.len()
    }
}

const HAND: u8 = 49;
const MOUNTED: u8 = 50;
const BOXED: u8 = 51;

fn place_value(place: PieceLocation) -> u8 {
    match place {
        PieceLocation::On(square) => square.number(),
        PieceLocation::Hand => HAND,
        PieceLocation::Mounted => MOUNTED,
        PieceLocation::Boxed => BOXED,
    }
}

fn place_of(value: u8) -> Option<PieceLocation> {
    match value {
        HAND => Some(PieceLocation::Hand),
        MOUNTED => Some(PieceLocation::Mounted),
        BOXED => Some(PieceLocation::Boxed),
        number => Square::from_number(number).map(PieceLocation::On),
    }
}

/// Why a text is not a hash of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HashError {
    /// It does not have this number of characters.
    #[error("a hash must have {0} characters")]
    Length(usize),
    /// The character at this 0-based index is not in the base64url alphabet.
    #[error("invalid character {} in the hash; use A–Z a–z 0–9 - _", .0 + 1)]
    Character(usize),
    /// The piece has an invalid location.
    #[error("invalid location of {0} in the hash")]
    NoPlace(Piece),
    /// Unused bits are not zero.
    #[error("unused bits of the hash must be zero")]
    SpareBits,
    /// The pieces form no possible position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
