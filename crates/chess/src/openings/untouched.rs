//! What never comes back: a position can only come after one that has the same of it, or more.

use shakmaty::{Bitboard, Position};

/// The pawns on the second rank of either side, and the rooks that may still castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Untouched(Bitboard);

impl Untouched {
    /// That of a position.
    pub(super) fn of<P: Position>(position: &P) -> Untouched {
        let (second, seventh) = (Bitboard(0xff << 8), Bitboard(0xff << 48));
        let board = position.board();
        let pawns = board.pawns() & (board.white() & second | board.black() & seventh);
        Untouched(pawns | position.castles().castling_rights())
    }

    /// Whether all of it is among others.
    pub(super) fn is_within(self, others: Untouched) -> bool {
        (self.0 & !others.0).is_empty()
    }

    /// Adds to those of which none is within another: they stand for all that have more.
    pub(super) fn add(self, least: &mut Vec<Untouched>) {
        if !least.iter().any(|known| known.is_within(self)) {
            least.retain(|known| !self.is_within(*known));
            least.push(self);
        }
    }
}
