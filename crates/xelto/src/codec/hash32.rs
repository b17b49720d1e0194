//! `hash32`: a position in 32 characters, 192 bits. It is like [`hash34`](super::hash34), without the flags of the
//! pieces that cannot be turned.
//!
//! ```text
//! 3 characters    1 bit the side to move, 15 bits the turned pieces, 2 bits zero
//! 29 characters   the location of each piece
//! ```
//!
//! The flags are those of `pal ful mik fav zan gil ruj`, `tan jil lax mat kun rez din` and `tem`. The locations are in
//! the order of the pieces in the start position: for each side the front row, then the rear row, from left to right
//! as seen by its player, and Teems last.
//!
//! Source: the third source text, which gives the sizes and the first pieces of the initial order. The rest of that
//! order is ours.
//!
//! # Stability
//! Frozen. A change would need a new encoding.

use super::layout::{HashError, Layout};
use crate::{Piece::*, Position};

const LAYOUT: Layout = Layout {
    flag_chars: 3,
    flags: &[Pal, Ful, Mik, Fav, Zan, Gil, Ruj, Tan, Jil, Lax, Mat, Kun, Rez, Din, Tem],
    places: &[
        Pal, Ful, Mik, Fav, Zan, Gil, Ruj, Dyu, Lis, Mel, Ser, Dia, Vio, Ral, //
        Tan, Jil, Lax, Mat, Kun, Rez, Din, Len, Lin, Ket, Mir, Pin, Nen, Rav, //
        Tem,
    ],
};

/// The hash of a position.
///
/// ```
/// use plybook_xelto::{codec::hash32, Position};
///
/// let hash = hash32::encode(&Position::start());
/// assert_eq!(hash, "AAAjklmnopqrstuvwNMLKJIHGFEDCBAY");
/// assert_eq!(hash32::decode(&hash), Ok(Position::start()));
/// ```
pub fn encode(position: &Position) -> String {
    LAYOUT.encode(position)
}

/// The position of a hash, with the default rules.
///
/// # Errors
/// The text is not a hash, or no game can reach its position.
pub fn decode(hash: &str) -> Result<Position, HashError> {
    LAYOUT.decode(hash)
}
