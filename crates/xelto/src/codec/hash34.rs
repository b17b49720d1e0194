//! `hash34`: a position in 34 characters, 204 bits.
//!
//! ```text
//! 5 characters    1 bit the side to move (0 arxe, 1 sorn), 29 bits the turned pieces, in their order
//! 29 characters   the place of each piece, in their order:
//!                 0 to 48 a square, 49 in hand, 50 mounted, 51 in the box
//! ```
//!
//! Characters are those of base64url, six bits each, the highest first. Nothing is lost: a captured piece
//! always belongs to the other side's hand or mount.
//!
//! Source: the hash that the third source text describes. Which way round the first bit is, and that Teems is
//! the last piece, is ours. The rules a position is played by are not part of it.
//!
//! # Stability
//! Frozen. A change would be another encoding.

use super::layout::{HashError, Layout};
use crate::{Piece, Position};

const LAYOUT: Layout = Layout { flag_chars: 5, flags: &Piece::ALL, places: &Piece::ALL };

/// The hash of a position.
///
/// ```
/// use plybook_xelto::{codec::hash34, Position};
///
/// let hash = hash34::encode(&Position::start());
/// assert_eq!(hash, "AAAAAuvrokqswnjlmptANFIMHEGLBCKJDY");
/// assert_eq!(hash34::decode(&hash), Ok(Position::start()));
/// ```
pub fn encode(position: &Position) -> String {
    LAYOUT.encode(position)
}

/// The position of a hash, under the default rules.
///
/// # Errors
/// The text is no hash, or no game can come to its position.
pub fn decode(hash: &str) -> Result<Position, HashError> {
    LAYOUT.decode(hash)
}
