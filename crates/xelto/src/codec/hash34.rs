//! `hash34`: a position in 34 characters, 204 bits.
//!
//! ```text
//! 5 characters    1 bit the side to move (0 arxe, 1 sorn), 29 bits the turned pieces, in their order
//! 29 characters   the location of each piece, in their order:
//!                 0 to 48 a square, 49 in hand, 50 mounted, 51 in the box
//! ```
//!
//! Characters are those of base64url, six bits each, highest first. No information is lost: a captured piece always
//! belongs to the other side's hand or mount.
//!
//! Source: the hash described in the third source text. The meaning of the first bit, and that Teems is the last
//! piece, are ours. The rules in use are not part of the hash.
//!
//! # Stability
//! Frozen. A change would need a new encoding.

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

/// The position of a hash, with the default rules.
///
/// # Errors
/// The text is not a hash, or no game can reach its position.
pub fn decode(hash: &str) -> Result<Position, HashError> {
    LAYOUT.decode(hash)
}
