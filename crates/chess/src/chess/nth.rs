//! Finds the n-th legal move. Pieces other than pawns are visited one by one, with all pawns before each of them
//! counted together; then the moves of the piece that contains the n-th.

use std::cmp::Ordering;

use fearless_simd::Simd;
use shakmaty::{Bitboard, CastlingSide, Color, Move, Role, Square};

use super::{
    counting::MoveSets,
    position_view::{before, role_at, size},
    simd_dispatch::nth_square,
};

impl MoveSets {
    /// The n-th move.
    #[inline(always)]
    pub(super) fn nth_move<S: Simd>(&self, simd: S, index: u32) -> Option<Move> {
        let (mut pieces, mut passed) = (self.movable_pieces(), 0);
        // A probe in the middle of the pieces, to halve the search, was tried and removed: it gained nothing.
        while let Some(from) = self.take_first(&mut pieces) {
            // The pawns before this piece are counted together instead of being visited one by one.
            let first = self.pawns.moves(before(self.turn, from)) + passed;
            if index < first {
                break;
            }
            let targets = self.targets(simd, from);
            let moves = size(targets) + if from == self.king { self.castlings.count() } else { 0 };
            if index - first < moves {
                return self.nth_of_officer(simd, from, targets, index - first);
            }
            passed += moves;
        }
        self.nth_of_pawns(index - passed)
    }

    /// The n-th move of a piece other than a pawn, including castling.
    #[inline(always)]
    fn nth_of_officer<S: Simd>(
        &self,
        simd: S,
        from: Square,
        targets: Bitboard,
        mut index: u32,
    ) -> Option<Move> {
        if from == self.king && self.castlings.count() > 0 {
            let mut earlier = 0;
            for side in CastlingSide::ALL {
                if let Some(castling) = self.castlings.castling(side) {
                    match self.castlings.place_of(side, targets).cmp(&index) {
                        Ordering::Less => earlier += 1,
                        Ordering::Equal => return Some(castling),
                        Ordering::Greater => {}
                    }
                }
            }
            index -= earlier;
        }
        let place = if self.turn.is_white() { index } else { size(targets).checked_sub(index + 1)? };
        let to = nth_square(simd, targets, place)?;
        let (role, capture) = (role_at(&self.board, from)?, role_at(&self.board, to));
        Some(Move::Normal { role, from, capture, to, promotion: None })
    }

    /// The n-th move among all pawn moves.
    #[inline(always)]
    fn nth_of_pawns(&self, mut index: u32) -> Option<Move> {
        let mut pawns = self.pawns.movers();
        while let Some(from) = self.take_first(&mut pawns) {
            let moves = self.pawns.moves_from(from);
            if index < moves {
                let (to, promotion) = self.pawns.nth_move(from, index)?;
                return Some(self.board_move(Role::Pawn, from, to, promotion));
            }
            index -= moves;
        }
        None
    }

    /// Removes the first square, in the mover's order, from a set.
    #[inline(always)]
    pub(super) fn take_first(&self, set: &mut Bitboard) -> Option<Square> {
        match self.turn {
            Color::White => set.pop_front(),
            Color::Black => set.pop_back(),
        }
    }
}
