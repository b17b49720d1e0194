//! The legal moves of standard chess and Chess960 as sets of squares: count, index and n-th move are computed from
//! population counts, without generating or sorting a move list.
//!
//! The [order](super::MoveKey) depends on the side to move: White counts squares up from a1, Black down from h8. "The
//! squares before f" are therefore those below f for White and those above f for Black, and statements about pawn
//! steps apply to both sides with the sign reversed.
//!
//! [Pawns](super::pawns), [sliders](super::rays) and knights are counted as complete sets, whatever subset is
//! requested; only the [n-th move](super::nth) examines them one by one.

use fearless_simd::{Simd, SimdBase, SimdFrom};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, MoveList, Role, Square, attacks};

use super::{
    castling::Castlings,
    pawns::{PROMOTIONS, PawnSets},
    position_view::{Placement, PositionView, before, role_at, size},
    rays::{Lines, Rays, every_line},
    simd_dispatch::built_for_it,
};
use crate::{
    bits::mixed_radix::MixedRadix,
    rules::{LegalMoves, Taken},
};

/// The legal moves of one position of standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct MoveSets {
    pub(super) turn: Color,
    // A copy instead of a reference, because `Rules::Legal` has no lifetime: callers keep the legal moves while they
    // play one of them.
    pub(super) board: Board,
    pub(super) king: Square,
    pub(super) pawns: PawnSets,
    /// Knights that are not pinned.
    pub(super) knights: Bitboard,
    /// Sliders, by the lines along which they may move.
    pub(super) sliders: [u64; 4],
    /// Squares that knights and sliders may move to.
    pub(super) allowed: Bitboard,
    /// Squares that the king can move to without castling.
    pub(super) king_targets: Bitboard,
    pub(super) castlings: Castlings,
    pub(super) count: u32,
}

impl MoveSets {
    /// Generates the legal moves of a position.
    pub fn new(position: &Chess) -> MoveSets {
        MoveSets::of(Placement::of(position))
    }

    /// Like [`new`](MoveSets::new), for any type of position with the rules of standard chess.
    pub(crate) fn of(placement: Placement<'_>) -> MoveSets {
        built_for_it!(simd => MoveSets::generate(simd, placement))
    }

    /// [`LegalMoves::take`] in one pass over the position.
    // One pass, because count, digit and move depend on the same sets: decoding by generating a list and selecting
    // from it took more than three times as long in the prototype (449 ns per ply, compared with 132).
    pub(crate) fn take_in(placement: Placement<'_>, number: &mut MixedRadix, others: u32) -> Taken<Move> {
        built_for_it!(simd => {
            let legal = MoveSets::generate(simd, placement);
            let digit = number.take_digit(legal.count + others);
            let m = if digit < legal.count { legal.nth_move(simd, digit) } else { None };
            Taken { count: legal.count, digit, m }
        })
    }

    #[inline(always)]
    // In the prototype the simplest encoder took 905 ns per ply, 56 % of them for sorting the move list. Sets of
    // targets per square took 192 ns, sets per kind of piece 113, only 27 more than parsing and playing the moves. The
    // current factors over "generate, sort, find" are in docs/measuring.md.
    pub(crate) fn generate<S: Simd>(simd: S, placement: Placement<'_>) -> MoveSets {
        let view = PositionView::new(simd, placement);
        let threats = view.threats();
        let evasions = view.evasions(&threats);
        let (knights, sliders) = view.movable(&threats);
        let mut sets = MoveSets {
            turn: view.turn,
            board: view.board.clone(),
            king: view.king,
            pawns: view.pawns(&threats, evasions, placement.passed),
            knights,
            sliders: sliders.into(),
            allowed: evasions & !view.us,
            king_targets: view.king_targets(&threats),
            castlings: view.castlings(placement.castles, &threats),
            count: 0,
        };
        sets.count = sets.moves_of(simd, Bitboard::FULL);
        sets
    }

    /// The number of moves of the pieces on the given squares.
    #[inline(always)]
    // The same code counts all moves and the moves before a square. A second function for the subset would hardly be
    // faster: the vectors have a fixed width, so fewer pieces do not mean less work.
    fn moves_of<S: Simd>(&self, simd: S, squares: Bitboard) -> u32 {
        let sliders = self.rays(simd, squares);
        let knights = Rays::of_knights(simd, self.knights & squares);
        let allowed = every_line(simd, self.allowed);
        let officers = (sliders.within(allowed).count() + knights.within(allowed).count()).reduce_sum();
        let king = size(self.king_targets) + self.castlings.count();
        let king = if squares.contains(self.king) { king } else { 0 };
        self.pawns.moves(squares) + officers as u32 + king
    }

    /// The squares that sliders on the given squares attack, including those occupied by their own side.
    #[inline(always)]
    fn rays<S: Simd>(&self, simd: S, squares: Bitboard) -> Rays<S> {
        let sliders = Lines::simd_from(simd, self.sliders) & every_line(simd, squares);
        Rays::of_sliders(simd, sliders, every_line(simd, !self.board.occupied()))
    }

    /// The squares of the pieces other than pawns that may be able to move.
    #[inline(always)]
    pub(super) fn movable_pieces(&self) -> Bitboard {
        let sliders = self.sliders.into_iter().fold(0, |all, line| all | line);
        (self.knights | Bitboard(sliders)).with(self.king)
    }

    /// The destinations of a movable piece other than a pawn, without castling.
    #[inline(always)]
    pub(super) fn targets<S: Simd>(&self, simd: S, from: Square) -> Bitboard {
        if from == self.king {
            self.king_targets
        } else if self.knights.contains(from) {
            attacks::knight_attacks(from) & self.allowed
        } else {
            self.rays(simd, Bitboard::from(from)).union() & self.allowed
        }
    }

    /// The number of moves from squares before the given one.
    #[inline(always)]
    fn moves_before<S: Simd>(&self, simd: S, from: Square) -> u32 {
        self.moves_of(simd, before(self.turn, from))
    }

    /// The pieces of a role that can move to a square without castling.
    #[inline(always)]
    pub(super) fn coming_to<S: Simd>(&self, simd: S, role: Role, to: Square) -> Bitboard {
        let allowed = |pieces: Bitboard| if self.allowed.contains(to) { pieces } else { Bitboard::EMPTY };
        match role {
            Role::Pawn => self.pawns.coming_to(to),
            Role::King if self.king_targets.contains(to) => self.king.into(),
            Role::King => Bitboard::EMPTY,
            Role::Knight => allowed(attacks::knight_attacks(to) & self.knights),
            slider => {
                let back = every_line(simd, Bitboard::from(to));
                let rays = Rays::of_sliders(simd, back, every_line(simd, !self.board.occupied()));
                let sliders = rays.within(Lines::simd_from(simd, self.sliders)).union();
                allowed(sliders & self.board.by_role(slider))
            }
        }
    }

    /// The index of a move other than castling by a piece that [can](Self::coming_to) move there, unless its promotion
    /// is invalid.
    #[inline(always)]
    pub(super) fn index<S: Simd>(
        &self,
        simd: S,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<u32> {
        let place = if role == Role::Pawn {
            self.pawns.place_of_move(from, to, promotion)?
        } else {
            if promotion.is_some() {
                return None;
            }
            let targets = self.targets(simd, from);
            let castlings = if role == Role::King { self.castlings.before(to) } else { 0 };
            size(targets & before(self.turn, to)) + castlings
        };
        Some(self.moves_before(simd, from) + place)
    }

    /// The castling move to a side with its index, if it is legal.
    #[inline(always)]
    pub(super) fn castling<S: Simd>(&self, simd: S, side: CastlingSide) -> Option<(Move, u32)> {
        let m = self.castlings.castling(side)?;
        let place = self.castlings.place_of(side, self.king_targets);
        Some((m, self.moves_before(simd, self.king) + place))
    }

    /// The move of a piece between two squares, which must be one of its legal moves.
    #[inline(always)]
    pub(super) fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        if role == Role::Pawn && self.pawns.en_passant == Some(to) && from.file() != to.file() {
            return Move::EnPassant { from, to };
        }
        Move::Normal { role, from, capture: role_at(&self.board, to), to, promotion }
    }

    /// The legal moves to a square by pieces of a role, except castling.
    pub(super) fn moves_to(&self, role: Role, to: Square) -> MoveList {
        let from = built_for_it!(simd => self.coming_to(simd, role, to));
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        let becomes: &[_] = if promotes { &PROMOTIONS.map(Some) } else { &[None] };
        let moves = |from| becomes.iter().map(move |&becomes| self.board_move(role, from, to, becomes));
        from.into_iter().flat_map(moves).collect()
    }

    /// The target of a legal en passant capture.
    pub(crate) fn en_passant_target(&self) -> Option<Square> {
        self.pawns.en_passant
    }

    /// The legal en passant captures.
    pub(super) fn en_passant(&self) -> impl Iterator<Item = Move> {
        let captures = self.pawns.en_passant.map(|to| {
            let beside = self.pawns.coming_to(to) & !Bitboard::from_file(to.file());
            beside.into_iter().map(move |from| Move::EnPassant { from, to })
        });
        captures.into_iter().flatten()
    }

    /// The index of a move, if it is legal.
    #[inline(always)]
    fn index_of_move<S: Simd>(&self, simd: S, m: Move) -> Option<u32> {
        if let Move::Castle { king, rook } = m {
            let (castling, index) = self.castling(simd, CastlingSide::from_queen_side(rook < king))?;
            return (castling == m).then_some(index);
        }
        let (role, from, to, promotion) = (m.role(), m.from()?, m.to(), m.promotion());
        let right =
            self.coming_to(simd, role, to).contains(from) && self.board_move(role, from, to, promotion) == m;
        right.then(|| self.index(simd, role, from, to, promotion))?
    }
}

impl LegalMoves for MoveSets {
    type Move = Move;

    fn count(&self) -> u32 {
        self.count
    }

    fn index_of(&self, m: Move) -> Option<u32> {
        built_for_it!(simd => self.index_of_move(simd, m))
    }

    fn nth(&self, index: u32) -> Option<Move> {
        built_for_it!(simd => self.nth_move(simd, index))
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;
    use shakmaty::Position;

    use super::*;

    /// This processor's feature level and the lower ones that it supports.
    fn levels() -> impl Iterator<Item = Level> {
        let best = Level::new();
        let plainer = [
            best.as_sse2().map(Simd::level),
            best.as_sse4_2().map(Simd::level),
            best.as_avx2().map(Simd::level),
        ];
        plainer.into_iter().flatten().chain([best])
    }

    proptest! {
        #[test]
        fn all_feature_levels_give_the_same_moves(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
            let mut position = Chess::new();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[choice.index(moves.len())];
                let legal = MoveSets::new(&position);
                let index = legal.index_of(m).unwrap();
                for level in levels() {
                    let again = dispatch!(level, simd => MoveSets::generate(simd, Placement::of(&position)));
                    prop_assert_eq!(format!("{:?}", &again), format!("{:?}", &legal));
                    prop_assert_eq!(dispatch!(level, simd => again.index_of_move(simd, m)), Some(index));
                    prop_assert_eq!(dispatch!(level, simd => again.nth_move(simd, index)), Some(m));
                }
                position.play_unchecked(m);
            }
        }
    }
}
