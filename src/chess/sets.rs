//! The legal moves of standard chess and Chess960 as sets of squares: count, index and n-th move come from
//! population counts, and no move list is ever made or sorted.
//!
//! The [order](super::MoveKey) is that of the side to move: White counts squares up from a1, Black down from
//! h8. So "the squares before f" are those below f for White and those above f for Black, and what is said
//! of a pawn's steps holds for both with the sign turned round.
//!
//! Pawns move as whole sets. Each set is kept shifted back to the squares the pawns come from, so the moves
//! of the pawns before square f are four population counts. Within one from-square the targets are, in
//! order, west capture, push, east capture, double push (west and east as the mover sees them). Officers
//! keep one set of targets each.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::{
    sliders::{bishop_attacks, rook_attacks},
    view::{PawnSets, View, ahead, side_index},
};
use crate::rules::LegalMoves;

/// Most officers (king included) one side may have: all its men but none of them a pawn.
pub(super) const MAX_OFFICERS: usize = 16;

/// The roles a pawn promotes to, in canonical order.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The legal moves of one position of standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct LegalSets {
    pub(super) turn: Color,
    /// Needed to say what a move captures.
    board: Board,
    king: Square,
    pub(super) pawns: PawnSets,
    pub(super) officers: ArrayVec<Officer, MAX_OFFICERS>,
    /// The rooks that the king may castle with now: on the king's side, on the queen's side.
    castling: [Option<Square>; 2],
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
        let view = View::new(position);
        let (checkers, pinned) = view.checkers_and_pinned();
        let mut sets = LegalSets {
            turn: view.turn,
            board: view.board.clone(),
            king: view.king,
            pawns: PawnSets::default(),
            officers: ArrayVec::new(),
            castling: [None; 2],
            count: 0,
        };
        if !checkers.more_than_one() {
            let evasions = match checkers.first() {
                Some(checker) => attacks::between(view.king, checker).with(checker),
                None => Bitboard::FULL,
            };
            sets.pawns = view.pawn_sets(pinned, evasions);
            if let Some(to) = position.maybe_ep_square() {
                view.add_en_passant(&mut sets.pawns, checkers, to);
            }
            sets.count = sets.pawn_moves(Bitboard::FULL);
            sets.add_officers(&view, pinned, evasions);
        }
        let guarded = view.attacked_by_steppers();
        sets.add_officer(view.king, Role::King, view.king_targets(guarded));
        if checkers.is_empty() && position.castles().has_color(view.turn) {
            sets.castling = view.castling(position.castles(), guarded);
            sets.count += sets.castlings_count();
        }
        sets
    }

    fn add_officers(&mut self, view: &View<'_>, pinned: Bitboard, evasions: Bitboard) {
        let (allowed, occupied, board) = (evasions & !view.us, view.board.occupied(), view.board);
        for from in view.us & board.knights() & !pinned {
            self.add_officer(from, Role::Knight, attacks::knight_attacks(from) & allowed);
        }
        let line = |from| if pinned.contains(from) { attacks::ray(view.king, from) } else { Bitboard::FULL };
        for from in view.us & board.bishops() {
            self.add_officer(from, Role::Bishop, bishop_attacks(from, occupied) & allowed & line(from));
        }
        for from in view.us & board.rooks() {
            self.add_officer(from, Role::Rook, rook_attacks(from, occupied) & allowed & line(from));
        }
        for from in view.us & board.queens() {
            let targets = bishop_attacks(from, occupied) | rook_attacks(from, occupied);
            self.add_officer(from, Role::Queen, targets & allowed & line(from));
        }
    }

    fn add_officer(&mut self, from: Square, role: Role, targets: Bitboard) {
        if targets.any() {
            let moves = size(targets);
            self.count += moves;
            let officer = Officer { targets, from, role, count: u8::try_from(moves).unwrap_or(u8::MAX) };
            // Positions with more officers are refused when they are set up.
            let _ = self.officers.try_push(officer);
        }
    }

    /// The number of moves of the pawns on the given squares.
    fn pawn_moves(&self, from: Bitboard) -> u32 {
        let [west, push, east, double] = self.pawns.sets.map(|set| set & from);
        let moves = size(west) + size(push) + size(east) + size(double);
        let promoting = self.before_last_rank();
        if ((west | push | east) & promoting).is_empty() {
            return moves;
        }
        moves + 3 * (size(west & promoting) + size(push & promoting) + size(east & promoting))
    }

    /// The rank pawns promote from.
    pub(super) fn before_last_rank(&self) -> Bitboard {
        Bitboard::from_rank(self.turn.fold_wb(Rank::Seventh, Rank::Second))
    }

    /// The squares that the mover counts before the given one.
    fn before(&self, square: Square) -> Bitboard {
        match self.turn {
            Color::White => Bitboard((1 << square.to_u32()) - 1),
            Color::Black => Bitboard(!1 << square.to_u32()),
        }
    }

    /// The number of moves from squares before the given one.
    fn moves_before(&self, from: Square) -> u32 {
        let before = self.before(from);
        let mut moves = self.pawn_moves(before);
        for officer in &self.officers {
            moves += if before.contains(officer.from) { u32::from(officer.count) } else { 0 };
        }
        if before.contains(self.king) { moves + self.castlings_count() } else { moves }
    }

    fn officer_at(&self, from: Square) -> Option<&Officer> {
        self.officers.iter().find(|officer| officer.from == from)
    }

    /// The move of a man from square to square, which must be one of its legal moves.
    pub(super) fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        if role == Role::Pawn && self.pawns.en_passant == Some(to) && from.file() != to.file() {
            return Move::EnPassant { from, to };
        }
        let occupied = self.board.occupied().contains(to);
        let capture = if occupied { self.board.role_at(to) } else { None };
        Move::Normal { role, from, capture, to, promotion }
    }

    fn castlings_count(&self) -> u32 {
        self.castling.iter().map(|rook| u32::from(rook.is_some())).sum()
    }

    pub(super) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        Some(Move::Castle { king: self.king, rook: self.castling[side_index(side)]? })
    }

    /// The castlings in canonical order (by the king's target), with that target.
    fn castlings(&self) -> impl Iterator<Item = (Square, Move)> + '_ {
        let sides = match self.turn {
            Color::White => [CastlingSide::QueenSide, CastlingSide::KingSide],
            // Black counts files from h: its king's side comes first.
            Color::Black => [CastlingSide::KingSide, CastlingSide::QueenSide],
        };
        sides.into_iter().filter_map(|side| Some((side.king_to(self.turn), self.castling_move(side)?)))
    }

    /// Whether the pawn on a square has each kind of step, as 0 or 1: west capture, push, east capture,
    /// double push.
    fn steps_of(&self, from: Square) -> [u32; 4] {
        self.pawns.sets.map(|set| u32::from(set.contains(from)))
    }

    /// The place of a pawn's target among its targets; `None` if it is none of them.
    fn place_of_target(&self, from: Square, to: Square) -> Option<u32> {
        let [west, push, east, double] = self.steps_of(from);
        let (step, place) = match ahead(self.turn, i32::from(to) - i32::from(from)) {
            7 => (west, 0),
            8 => (push, west),
            9 => (east, west + push),
            16 => (double, west + push + east),
            _ => (0, 0),
        };
        (step == 1).then_some(place)
    }

    pub(super) fn index_of_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        let place = self.place_of_target(from, to)?;
        let before = self.moves_before(from);
        match (self.before_last_rank().contains(from), promotion) {
            (false, None) => Some(before + place),
            (true, Some(role)) => {
                let choice = PROMOTIONS.iter().position(|&other| other == role)?;
                Some(before + 4 * place + u32::try_from(choice).ok()?)
            }
            _ => None,
        }
    }

    /// The king's plain moves that come before castling with this target: those to squares up to it.
    fn king_moves_before_castling(&self, to: Square) -> u32 {
        let plain = self.officer_at(self.king).map_or(Bitboard::EMPTY, |king| king.targets);
        size(plain & self.before(to).with(to))
    }

    fn index_of_castling(&self, m: Move) -> Option<u32> {
        let (place, (to, _)) = self.castlings().enumerate().find(|(_, (_, other))| *other == m)?;
        let plain = self.king_moves_before_castling(to);
        Some(self.moves_before(self.king) + plain + u32::try_from(place).ok()?)
    }

    /// The index of an officer's move to one of its targets.
    pub(super) fn index_of_target(&self, officer: &Officer, to: Square) -> u32 {
        let before = self.before(to);
        let mut index = self.moves_before(officer.from) + size(officer.targets & before);
        if officer.role == Role::King && self.castlings_count() > 0 {
            for (target, _) in self.castlings() {
                index += u32::from(before.contains(target));
            }
        }
        index
    }

    /// The n-th move of the officer (or king, castling included) on a square.
    fn nth_of_officer(&self, from: Square, mut index: u32) -> Option<Move> {
        if from == self.king {
            for (to, castling) in self.castlings() {
                match index.cmp(&self.king_moves_before_castling(to)) {
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
        let promotes = self.before_last_rank().contains(from);
        let (place, promotion) = if promotes {
            (index / 4, Some(*PROMOTIONS.get(usize::try_from(index % 4).ok()?)?))
        } else {
            (index, None)
        };
        let [west, push, east, double] = self.steps_of(from);
        let steps = [(west, 7), (push, 8), (east, 9), (double, 16)];
        let mut steps = steps.into_iter().filter(|&(step, _)| step == 1);
        let (_, step) = steps.nth(usize::try_from(place).ok()?)?;
        Some(self.board_move(Role::Pawn, from, from.offset(ahead(self.turn, step))?, promotion))
    }

    /// The squares that have a legal move.
    fn movers(&self) -> Bitboard {
        let [west, push, east, double] = self.pawns.sets;
        let officers = self.officers.iter().fold(west | push | east | double, |all, o| all.with(o.from));
        if self.castlings_count() > 0 { officers.with(self.king) } else { officers }
    }

    /// The number of moves from a square.
    fn moves_from(&self, from: Square) -> u32 {
        let castlings = if from == self.king { self.castlings_count() } else { 0 };
        match self.officer_at(from) {
            Some(officer) => u32::from(officer.count) + castlings,
            None if castlings > 0 => castlings,
            None => {
                let steps = self.steps_of(from).iter().sum();
                if self.before_last_rank().contains(from) { 4 * steps } else { steps }
            }
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
            Move::Castle { .. } => self.index_of_castling(m),
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

/// The number of squares in a set.
fn size(set: Bitboard) -> u32 {
    set.0.count_ones()
}
