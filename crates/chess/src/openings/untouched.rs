//! What never returns in a game: a position can only follow one that has the same unmoved pawns and castling rights,
//! or more.

use shakmaty::{Bitboard, Position};

/// The pawns on the second rank of each side, and the rooks that may still castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Untouched(Bitboard);

impl Untouched {
    /// The set for a position.
    pub(super) fn of<P: Position>(position: &P) -> Untouched {
        let (second, seventh) = (Bitboard(0xff << 8), Bitboard(0xff << 48));
        let board = position.board();
        let pawns = board.pawns() & (board.white() & second | board.black() & seventh);
        Untouched(pawns | position.castles().castling_rights())
    }

    /// Whether it is a subset of another set.
    pub(super) fn is_within(self, others: Untouched) -> bool {
        (self.0 & !others.0).is_empty()
    }

    /// Adds to a list of minimal sets: none of them is a superset of another.
    pub(super) fn add(self, least: &mut Vec<Untouched>) {
        if !least.iter().any(|known| known.is_within(self)) {
            least.retain(|known| !self.is_within(*known));
            least.push(self);
        }
    }
}
