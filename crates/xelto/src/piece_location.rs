//! The location of a piece, and sets of pieces.

use super::{Piece, Square};

/// Where a piece is. Hand and mount need no owner: a captured piece always belongs to the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceLocation {
    /// On a square of the board.
    On(Square),
    /// In the opponent's hand (持ち駒).
    Hand,
    /// Mounted on Teems (張り駒) by the opponent.
    Mounted,
    /// In the box (駒箱): permanently out of the game.
    Boxed,
}

impl PieceLocation {
    /// The square, if the piece is on the board.
    pub const fn square(self) -> Option<Square> {
        match self {
            PieceLocation::On(square) => Some(square),
            PieceLocation::Hand | PieceLocation::Mounted | PieceLocation::Boxed => None,
        }
    }
}

/// A set of pieces, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces(u32);

impl Pieces {
    /// No piece.
    pub const NONE: Pieces = Pieces(0);

    /// Whether the piece is in the set.
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 >> piece.id() & 1 == 1
    }

    /// Adds a piece.
    pub const fn insert(&mut self, piece: Piece) {
        self.0 |= 1 << piece.id();
    }

    /// Removes a piece.
    pub const fn remove(&mut self, piece: Piece) {
        self.0 &= !(1 << piece.id());
    }

    /// Adds a piece that is not in the set, removes one that is.
    pub const fn toggle(&mut self, piece: Piece) {
        self.0 ^= 1 << piece.id();
    }
}
