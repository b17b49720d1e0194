//! The legal moves of standard chess and Chess960 as sets of squares: count, index and n-th move come from
//! population counts, and no move list is ever made or sorted.
//!
//! The [order](super::MoveKey) is that of the side to move: White counts squares up from a1, Black down from
//! h8. So "the squares before f" are those below f for White and those above f for Black, and what is said
//! of a pawn's steps holds for both with the sign turned round.
//!
//! [Pawns](super::pawns) move as whole sets; officers keep one set of targets each.

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
    pub(super) pawns: PawnSets,
    pub(super) officers: ArrayVec<Officer, MAX_OFFICERS>,
    /// By square, the place of the officer that stands there among the officers.
    places: [u8; 64],
    pub(super) castlings: Castlings,
    count: u32,
}

/// A knight, bishop, rook, queen or king with its legal targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Officer {
    pub(super) targets: Bitboard,
    pub(super) from: Square,
    pub(super) role: Role,
    /// The number of targets.
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
            castlings: Castlings::none(view.turn, view.king),
            count: 0,
        };
        let evasions = view.evasions(checkers);
        sets.pawns = view.pawns(pinned, evasions, checkers, position.maybe_ep_square());
        sets.count = sets.pawns.moves(Bitboard::FULL);
        view.officers(pinned, evasions, |from, role, targets| sets.add_officer(from, role, targets));
        let guarded = view.attacked_by_steppers();
        sets.add_officer(view.king, Role::King, view.king_targets(guarded));
        if checkers.is_empty() && position.castles().has_color(view.turn) {
            sets.castlings = view.castlings(position.castles(), guarded);
            sets.count += sets.castlings.count();
        }
        sets
    }

    #[inline(always)]
    fn add_officer(&mut self, from: Square, role: Role, targets: Bitboard) {
        if targets.any() {
            let moves = size(targets);
            self.count += moves;
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
        if before.contains(self.king) { moves + self.castlings.count() } else { moves }
    }

    fn officer_at(&self, from: Square) -> Option<&Officer> {
        let place = *self.places.get(from.to_usize())?;
        self.officers.get(usize::from(place)).filter(|officer| officer.from == from)
    }

    pub(super) fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        board_move(&self.board, &self.pawns, role, from, to, promotion)
    }

    pub(super) fn index_of_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        Some(self.moves_before(from) + self.pawns.place_of_move(from, to, promotion)?)
    }

    /// Where the king can go without castling.
    fn king_targets(&self) -> Bitboard {
        self.officer_at(self.king).map_or(Bitboard::EMPTY, |king| king.targets)
    }

    pub(super) fn index_of_castling(&self, side: CastlingSide) -> u32 {
        self.moves_before(self.king) + self.castlings.place_of(side, self.king_targets())
    }

    /// The index of an officer's move to one of its targets.
    pub(super) fn index_of_target(&self, officer: &Officer, to: Square) -> u32 {
        let index = self.moves_before(officer.from) + size(officer.targets & before(self.turn, to));
        if officer.role == Role::King { index + self.castlings.before(to) } else { index }
    }

    /// The n-th move of the officer (or king, castling included) on a square.
    fn nth_of_officer(&self, from: Square, mut index: u32) -> Option<Move> {
        if from == self.king {
            let targets = self.king_targets();
            for (to, castling) in self.castlings.in_order() {
                match index.cmp(&size(targets & before(self.turn, to).with(to))) {
                    std::cmp::Ordering::Less => break,
                    std::cmp::Ordering::Equal => return Some(castling),
                    std::cmp::Ordering::Greater => index -= 1,
                }
            }
        }
        let officer = self.officer_at(from)?;
        let to = self.nth_square(officer.targets, index)?;
        Some(self.board_move(officer.role, from, to, None))
    }

    /// The n-th move of the pawn on a square.
    fn nth_of_pawn(&self, from: Square, index: u32) -> Option<Move> {
        let (to, promotion) = self.pawns.nth_move(from, index)?;
        Some(self.board_move(Role::Pawn, from, to, promotion))
    }

    /// The squares that have a legal move.
    fn movers(&self) -> Bitboard {
        let movers = self.officers.iter().fold(self.pawns.movers(), |all, officer| all.with(officer.from));
        if self.castlings.count() > 0 { movers.with(self.king) } else { movers }
    }

    /// The number of moves from a square.
    fn moves_from(&self, from: Square) -> u32 {
        let castlings = if from == self.king { self.castlings.count() } else { 0 };
        match self.officer_at(from) {
            Some(officer) => u32::from(officer.count) + castlings,
            None if castlings > 0 => castlings,
            None => self.pawns.moves_from(from),
        }
    }

    /// Takes the square that the mover counts first out of a set.
    fn take_first(&self, set: &mut Bitboard) -> Option<Square> {
        match self.turn {
            Color::White => set.pop_front(),
            Color::Black => set.pop_back(),
        }
    }

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

    fn nth(&self, mut index: u32) -> Option<Move> {
        let mut movers = self.movers();
        while let Some(from) = self.take_first(&mut movers) {
            let moves = self.moves_from(from);
            if index < moves {
                return if self.board.pawns().contains(from) {
                    self.nth_of_pawn(from, index)
                } else {
                    self.nth_of_officer(from, index)
                };
            }
            index -= moves;
        }
        None
    }
}
