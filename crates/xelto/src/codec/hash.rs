//! Two encodings of positions, with the same structure: a few characters of flags, then one character per piece.
//!
//! Characters are those of base64url, six bits each, highest first. The rules in use are not part of a hash.
//!
//! # Stability
//! Frozen. A change would need a new encoding.

use super::base64url;
use crate::{Piece, Piece::*, PieceLocation, Pieces, Position, SetupError, Side, Square};

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
    flag_chars: u32,
    /// The pieces that have a flag, in order.
    flags: &'static [Piece],
    /// All pieces, in order.
    places: &'static [Piece; Piece::COUNT],
}

impl PositionHash {
    /// The hash of a position.
    pub fn encode(&self, position: &Position) -> String {
        let turned = self.flags.iter().map(|&piece| position.is_turned(piece));
        let bits = std::iter::once(position.mover() == Side::Sorn).chain(turned);
        let written = bits.fold(0, |flags, bit| flags << 1 | u32::from(bit));
        let flags = written << self.spare_bits();
        let flags = (0..self.flag_chars).rev().map(|place| flags >> (6 * place));
        let places = self.places.iter().map(|&piece| place_value(position.place(piece)));
        flags.chain(places).map(base64url::character).collect()
    }

    /// The position of a hash, with the default rules.
    ///
    /// # Errors
    /// The text is not a hash, or no game can reach its position.
    pub fn decode(&self, hash: &str) -> Result<Position, HashError> {
        let values = values(hash, self.chars())?;
        let (head, tail) =
            values.split_at_checked(self.flag_chars.try_into().unwrap_or(0)).unwrap_or_default();
        let flags = head.iter().fold(0, |flags, &six| flags << 6 | u32::from(six));
        if flags.trailing_zeros() < self.spare_bits() {
            return Err(HashError::SpareBits);
        }
        let mover = if flags >> (6 * self.flag_chars - 1) == 0 { Side::Arxe } else { Side::Sorn };
        let places = self.read_places(tail)?;
        Ok(Position::set_up(mover, places, self.read_turned(flags >> self.spare_bits()))?)
    }

    fn chars(&self) -> usize {
        self.places.len() + usize::try_from(self.flag_chars).unwrap_or(0)
    }

    /// Unused bits in the characters of the flags.
    fn spare_bits(&self) -> u32 {
        (6 * self.flag_chars).saturating_sub(1).saturating_sub(u32::try_from(self.flags.len()).unwrap_or(0))
    }

    fn read_turned(&self, flags: u32) -> Pieces {
        let mut turned = Pieces::NONE;
        for (bit, &piece) in self.flags.iter().rev().enumerate() {
            if flags >> bit & 1 == 1 {
                turned.insert(piece);
            }
        }
        turned
    }

    fn read_places(&self, values: &[u8]) -> Result<[PieceLocation; Piece::COUNT], HashError> {
        let mut places = [PieceLocation::Boxed; Piece::COUNT];
        for (&piece, &value) in self.places.iter().zip(values) {
            if let Some(place) = places.get_mut(usize::from(piece.id())) {
                *place = place_of(value).ok_or(HashError::NoPlace(piece))?;
            }
        }
        Ok(places)
    }
}

/// The values of the characters, whose number must be `chars`.
fn values(hash: &str, chars: usize) -> Result<Vec<u8>, HashError> {
    let mut values = Vec::with_capacity(chars);
    for (at, character) in hash.chars().take(chars + 1).enumerate() {
        values.push(base64url::value(character).ok_or(HashError::Character(at))?);
    }
    if values.len() == chars { Ok(values) } else { Err(HashError::Length(chars)) }
}

const HAND: u8 = 49;
const MOUNTED: u8 = 50;
const BOXED: u8 = 51;

fn place_value(place: PieceLocation) -> u32 {
    u32::from(match place {
        PieceLocation::On(square) => square.number(),
        PieceLocation::Hand => HAND,
        PieceLocation::Mounted => MOUNTED,
        PieceLocation::Boxed => BOXED,
    })
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
