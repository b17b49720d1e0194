//! The common structure of both position hashes: a few characters of flags, then one character per piece.

use super::base64url;
use crate::{Piece, PieceLocation, Pieces, Position, SetupError, Side, Square};

/// A format for positions.
pub(super) struct Layout {
    /// Characters of flags: the side to move, the turned pieces, zero bits.
    pub(super) flag_chars: u32,
    /// The pieces that have a flag, in order.
    pub(super) flags: &'static [Piece],
    /// All pieces, in order.
    pub(super) places: &'static [Piece; Piece::COUNT],
}

impl Layout {
    pub(super) fn encode(&self, position: &Position) -> String {
        let turned = self.flags.iter().map(|&piece| position.is_turned(piece));
        let bits = std::iter::once(position.mover() == Side::Sorn).chain(turned);
        let written = bits.fold(0, |flags, bit| flags << 1 | u32::from(bit));
        let flags = written << self.spare_bits();
        let flags = (0..self.flag_chars).rev().map(|place| flags >> (6 * place));
        let places = self.places.iter().map(|&piece| place_value(position.place(piece)));
        flags.chain(places).map(base64url::character).collect()
    }

    pub(super) fn decode(&self, hash: &str) -> Result<Position, HashError> {
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
                *place = place_of(value).ok_or(HashError::NoPlace { piece })?;
            }
        }
        Ok(places)
    }
}

/// The values of the characters, whose number must be `chars`.
fn values(hash: &str, chars: usize) -> Result<Vec<u8>, HashError> {
    let mut values = Vec::with_capacity(chars);
    for (at, character) in hash.chars().take(chars + 1).enumerate() {
        values.push(base64url::value(character).ok_or(HashError::Character { at })?);
    }
    if values.len() == chars { Ok(values) } else { Err(HashError::Length { due: chars }) }
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
    /// It has the wrong number of characters.
    #[error("a hash must have {due} characters")]
    Length {
        /// The required number of characters.
        due: usize,
    },
    /// A character that is not in the base64url alphabet.
    #[error("invalid character {at} in the hash; use A–Z a–z 0–9 - _", at = at + 1)]
    Character {
        /// The 0-based index of the character.
        at: usize,
    },
    /// A piece has an invalid location.
    #[error("invalid location of {piece} in the hash")]
    NoPlace {
        /// The piece.
        piece: Piece,
    },
    /// Unused bits are not zero.
    #[error("unused bits of the hash must be zero")]
    SpareBits,
    /// The pieces form no possible position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
