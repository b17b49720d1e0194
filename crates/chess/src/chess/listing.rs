//! The legal moves as a list, in canonical order.

use fearless_simd::Simd;
use shakmaty::{CastlingSide, Move, Role, Square};

use super::{counting::MoveSets, position_view::role_at, simd_dispatch::built_for_it};

/// A legal move by its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub from: Square,
    /// The target of the piece; if it castles, that of the king.
    pub to: Square,
    pub promotion: Option<Role>,
    /// The side to which the king castles.
    pub castles: Option<CastlingSide>,
}

impl MoveSets {
    /// The legal moves in canonical order.
    pub fn list(&self) -> Vec<Move> {
        let mut steps = Vec::new();
        built_for_it!(simd => self.list_steps(simd, &mut steps));
        steps.into_iter().filter_map(|step| self.move_of(step)).collect()
    }

    fn move_of(&self, step: Step) -> Option<Move> {
        let Step { from, to, promotion, castles } = step;
        match castles {
            Some(side) => self.castlings.castling(side),
            None => Some(self.board_move(role_at(&self.board, from)?, from, to, promotion)),
        }
    }

    /// Replaces the list by the legal moves in canonical order.
    #[inline(always)]
    pub(crate) fn list_steps<S: Simd>(&self, simd: S, steps: &mut Vec<Step>) {
        steps.clear();
        steps.reserve(self.count as usize);
        let mut movers = self.pawns.movers() | self.movable_pieces();
        while let Some(from) = self.take_first(&mut movers) {
            let step = |to, promotion| Step { from, to, promotion, castles: None };
            if self.pawns.movers().contains(from) {
                let moves =
                    (0..self.pawns.moves_from(from)).filter_map(|index| self.pawns.nth_move(from, index));
                steps.extend(moves.map(|(to, promotion)| step(to, promotion)));
                continue;
            }
            let mut targets = self.targets(simd, from);
            while let Some(to) = self.take_first(&mut targets) {
                steps.push(step(to, None));
            }
            if from == self.king && self.castlings.count() > 0 {
                self.add_castlings(steps);
            }
        }
    }

    /// Adds castling among the king's other moves, which are the last in the list. It comes after a plain move to the same
    /// square.
    #[cold]
    fn add_castlings(&self, steps: &mut Vec<Step>) {
        let first = steps.len() - self.king_targets.count();
        let mut castlings: Vec<(u32, CastlingSide)> = CastlingSide::ALL
            .into_iter()
            .filter(|&side| self.castlings.castling(side).is_some())
            .map(|side| (self.castlings.place_of(side, self.king_targets), side))
            .collect();
        castlings.sort_unstable_by_key(|&(place, _)| place);
        for (place, side) in castlings {
            let to = side.king_to(self.turn);
            steps.insert(
                first + place as usize,
                Step { from: self.king, to, promotion: None, castles: Some(side) },
            );
        }
    }
}
