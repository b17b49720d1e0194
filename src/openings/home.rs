//! Pawns that have not moved: a position can come only after one that has the same at home, or more.

use shakmaty::{Bitboard, Board};

/// The pawns on the second rank of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HomePawns(Bitboard);

impl HomePawns {
    /// Those of a board.
    pub fn of(board: &Board) -> HomePawns {
        let (second, seventh) = (Bitboard(0xff << 8), Bitboard(0xff << 48));
        HomePawns(board.pawns() & (board.white() & second | board.black() & seventh))
    }

    /// Whether all of them are among others.
    pub fn is_within(self, others: HomePawns) -> bool {
        (self.0 & !others.0).is_empty()
    }

    /// Adds pawns to those of which none are within others: they stand for all that have more.
    pub(super) fn add(pawns: HomePawns, least: &mut Vec<HomePawns>) {
        if !least.iter().any(|known| known.is_within(pawns)) {
            least.retain(|known| !pawns.is_within(*known));
            least.push(pawns);
        }
    }
}
