//! The legal moves of standard chess and Chess960 as sets of squares: count, index and n-th move come from
//! population counts, and no move list is ever made or sorted.
//!
//! The [order](super::MoveKey) is that of the side to move: White counts squares up from a1, Black down from
//! h8. So "the squares before f" are those below f for White and those above f for Black, and what is said
//! of a pawn's steps holds for both with the sign turned round.
//!
//! [Pawns](super::pawns) move as whole sets; officers keep one set of targets each.

use std::cmp::Ordering;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::{
    castling::Castlings,
    pawns::PawnSets,
    processor::built_for_it,
    view::{View, before, board_move, size},
};
use crate::rules::LegalMoves;

/// Most officers (king included) one side may have: all its men but none of them a pawn.
pub(super) const MAX_OFFICERS: usize = 16;

/// The legal moves of one position of standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct LegalSets {
    turn: Color,
    /// Needed to say what a move captures.
    board: Board,
    king: Square,
    pawns: PawnSets,
    officers: ArrayVec<Officer, MAX_OFFICERS>,
    /// By square, the place of the officer that stands there among the officers.
    places: [u8; 64],
    /// The squares of the officers.
    squares: Bitboard,
    castlings: Castlings,
    count: u32,
}

/// A knight, bishop, rook, queen or king with its legal targets.
#[derive(Clone, Copy, Debug)]
struct Officer {
    targets: Bitboard,
    from: Square,
    role: Role,
    /// The number of its moves, the king's castlings among them.
    count: u8,
}

impl LegalSets {
    /// Generates the legal moves of a position.
    pub fn new(position: &Chess) -> LegalSets {
        built_for_it(
            #[inline(always)]
            || LegalSets::generate(position),
        )
    }

    #[inline(always)]
    fn generate(position: &Chess) -> LegalSets {
        let view = View::new(position);
        let (checkers, pinned) = view.checkers_and_pinned();
        let mut sets = LegalSets {
            turn: view.turn,
            board: view.board.clone(),
            king: view.king,
            pawns: PawnSets::none(view.turn),
            officers: ArrayVec::new(),
            places: [0; 64],
            squares: Bitboard::EMPTY,
            castlings: Castlings::none(view.turn, view.king),
            count: 0,
        };
        let evasions = view.evasions(checkers);
        sets.pawns = view.pawns(pinned, evasions, checkers, position.maybe_ep_square());
        sets.count = sets.pawns.moves(Bitboard::FULL);
        view.officers(pinned, evasions, |from, role, targets| sets.add_officer(from, role, targets, 0));
        let guarded = view.attacked_by_steppers();
        sets.castlings = view.castlings(position.castles(), checkers, guarded);
        sets.add_officer(view.king, Role::King, view.king_targets(guarded), sets.castlings.count());
        sets
    }

    /// Adds an officer that has moves: to its targets, and some others.
    #[inline(always)]
    fn add_officer(&mut self, from: Square, role: Role, targets: Bitboard, others: u32) {
        let moves = size(targets) + others;
        if moves > 0 {
            self.count += moves;
            self.squares.add(from);
            let officer = Officer { targets, from, role, count: u8::try_from(moves).unwrap_or(u8::MAX) };
            if let (Some(place), Ok(last)) =
                (self.places.get_mut(from.to_usize()), u8::try_from(self.officers.len()))
            {
                *place = last;
            }
            // Positions with more officers are refused when they are set up.
            let _ = self.officers.try_push(officer);
        }
    }

    /// The number of moves from squares before the given one.
    fn moves_before(&self, from: Square) -> u32 {
        let before = before(self.turn, from);
        let mut moves = self.pawns.moves(before);
        for officer in &self.officers {
            moves += if before.contains(officer.from) { u32::from(officer.count) } else { 0 };
        }
        moves
    }

    fn officer_at(&self, from: Square) -> Option<&Officer> {
        let place = *self.places.get(from.to_usize())?;
        self.officers.get(usize::from(place)).filter(|officer| officer.from == from)
    }

    fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        board_move(&self.board, &self.pawns, role, from, to, promotion)
    }

    fn index_of_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        Some(self.moves_before(from) + self.pawns.place_of_move(from, to, promotion)?)
    }

    /// Where the king can go without castling.
    fn king_targets(&self) -> Bitboard {
        self.officer_at(self.king).map_or(Bitboard::EMPTY, |king| king.targets)
    }

    fn index_of_castling(&self, side: CastlingSide) -> u32 {
        self.moves_before(self.king) + self.castlings.place_of(side, self.king_targets())
    }

    /// The index of an officer's move to one of its targets.
    fn index_of_target(&self, officer: &Officer, to: Square) -> u32 {
        let index = self.moves_before(officer.from) + size(officer.targets & before(self.turn, to));
        if officer.role == Role::King { index + self.castlings.before(to) } else { index }
    }

    /// The n-th move. The officers are passed one by one, with all pawns before each at once.
    #[inline(always)]
    fn nth_move(&self, index: u32) -> Option<Move> {
        let (mut officers, mut passed) = (self.squares, 0);
        while let Some(from) = self.take_first(&mut officers) {
            let first = self.pawns.moves(before(self.turn, from)) + passed;
            if index < first {
                break;
            }
            let officer = self.officer_at(from)?;
            if index - first < u32::from(officer.count) {
                return self.nth_of_officer(officer, index - first);
            }
            passed += u32::from(officer.count);
        }
        self.nth_of_pawns(index - passed)
    }

    /// The n-th move of an officer, castling included.
    #[inline(always)]
    fn nth_of_officer(&self, officer: &Officer, mut index: u32) -> Option<Move> {
        if officer.role == Role::King && self.castlings.count() > 0 {
            let mut earlier = 0;
            for side in CastlingSide::ALL {
                if let Some(castling) = self.castlings.castling(side) {
                    match self.castlings.place_of(side, officer.targets).cmp(&index) {
                        Ordering::Less => earlier += 1,
                        Ordering::Equal => return Some(castling),
                        Ordering::Greater => {}
                    }
                }
            }
            index -= earlier;
        }
        let to = self.nth_square(officer.targets, index)?;
        Some(self.board_move(officer.role, officer.from, to, None))
    }

    /// The n-th move of all pawns.
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

    /// Takes the square that the mover counts first out of a set.
    #[inline(always)]
    fn take_first(&self, set: &mut Bitboard) -> Option<Square> {
        match self.turn {
            Color::White => set.pop_front(),
            Color::Black => set.pop_back(),
        }
    }

    #[inline(always)]
    fn nth_square(&self, mut set: Bitboard, index: u32) -> Option<Square> {
        for _ in 0..index {
            self.take_first(&mut set)?;
        }
        self.take_first(&mut set)
    }
}

impl LegalMoves for LegalSets {
    type Move = Move;

    fn count(&self) -> u32 {
        self.count
    }

    fn index_of(&self, m: Move) -> Option<u32> {
        match m {
            Move::Normal { role: Role::Pawn, from, to, promotion, .. } => {
                self.index_of_pawn(from, to, promotion)
            }
            Move::Normal { role, from, to, promotion: None, .. } => {
                let officer = self.officer_at(from).filter(|o| o.role == role && o.targets.contains(to))?;
                Some(self.index_of_target(officer, to))
            }
            Move::EnPassant { from, to } => {
                self.pawns.en_passant.filter(|&square| square == to)?;
                self.index_of_pawn(from, to, None)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.castlings.castling(side).filter(|&castling| castling == m)?;
                Some(self.index_of_castling(side))
            }
            Move::Normal { .. } | Move::Put { .. } => None,
        }
    }

    fn nth(&self, index: u32) -> Option<Move> {
        built_for_it(
            #[inline(always)]
            || self.nth_move(index),
        )
    }
}
