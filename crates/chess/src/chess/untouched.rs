//! What never returns in a game: a position can only follow one that has the same unmoved pawns and castling rights,
//! or more.

use shakmaty::{Bitboard, Board, Position};

/// The pawns on the second rank of each side, and the rooks that may still castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Untouched(Bitboard);

impl Untouched {
    /// The set for a board and its castling rights.
    #[inline]
    pub(crate) fn new(board: &Board, castling: Bitboard) -> Untouched {
        let (second, seventh) = (Bitboard(0xff << 8), Bitboard(0xff << 48));
        let pawns = board.pawns() & (board.white() & second | board.black() & seventh);
        Untouched(pawns | castling)
    }

    /// The set for a position.
    #[inline]
    pub(crate) fn of<P: Position>(position: &P) -> Untouched {
        Untouched::new(position.board(), position.castles().castling_rights())
    }

    /// Whether it is a subset of another set.
    #[inline]
    pub(crate) fn is_within(self, others: Untouched) -> bool {
        (self.0 & !others.0).is_empty()
    }

    /// Adds to a list of minimal sets: none of them is a superset of another.
    pub(crate) fn add(self, least: &mut Vec<Untouched>) {
        if !least.iter().any(|known| known.is_within(self)) {
            least.retain(|known| !self.is_within(*known));
            least.push(self);
        }
    }
}
