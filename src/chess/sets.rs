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
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks,
    san::{San, SanError},
};

use super::view::{PawnSets, View, ahead, castling, side_index};
use crate::rules::LegalMoves;

/// Most officers (king included) one side may have: all its men but none of them a pawn.
pub(super) const MAX_OFFICERS: usize = 16;

/// The roles a pawn promotes to, in canonical order.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Steps of a pawn in the mover's direction: west capture, push, east capture, double push.
const STEPS: [i32; 4] = [7, 8, 9, 16];

/// The legal moves of one position of standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct LegalSets {
    turn: Color,
    /// Needed to say what a move captures.
    board: Board,
    king: Square,
    pawns: PawnSets,
    officers: ArrayVec<Officer, MAX_OFFICERS>,
    /// The rooks that the king may castle with now: on the king's side, on the queen's side.
    castling: [Option<Square>; 2],
    count: u32,
}

/// A knight, bishop, rook, queen or king with its legal targets.
#[derive(Clone, Copy, Debug)]
struct Officer {
    targets: Bitboard,
    from: Square,
    role: Role,
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
        sets.add_officer(view.king, Role::King, view.king_targets());
        if checkers.is_empty() && position.castles().has_color(view.turn) {
            sets.castling = castling(position);
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
            self.add_officer(
                from,
                Role::Bishop,
                attacks::bishop_attacks(from, occupied) & allowed & line(from),
            );
        }
        for from in view.us & board.rooks() {
            self.add_officer(from, Role::Rook, attacks::rook_attacks(from, occupied) & allowed & line(from));
        }
        for from in view.us & board.queens() {
            self.add_officer(
                from,
                Role::Queen,
                attacks::queen_attacks(from, occupied) & allowed & line(from),
            );
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
        let plain = self.pawns.sets.iter().map(|&set| size(set & from)).sum();
        let promoting = from & self.before_last_rank();
        let [west, push, east, _] = self.pawns.sets;
        if ((west | push | east) & promoting).is_empty() {
            return plain;
        }
        plain + 3 * (size(west & promoting) + size(push & promoting) + size(east & promoting))
    }

    /// The rank pawns promote from.
    fn before_last_rank(&self) -> Bitboard {
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
        let officers = self.officers.iter().filter(|officer| before.contains(officer.from));
        let officers: u32 = officers.map(|officer| u32::from(officer.count)).sum();
        let castling = if before.contains(self.king) { self.castlings_count() } else { 0 };
        self.pawn_moves(before) + officers + castling
    }

    fn officer_at(&self, from: Square) -> Option<&Officer> {
        self.officers.iter().find(|officer| officer.from == from)
    }

    fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
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

    fn castling_move(&self, side: CastlingSide) -> Option<Move> {
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

    /// The targets of a pawn in canonical order.
    fn pawn_targets(&self, from: Square) -> impl Iterator<Item = Square> {
        let (turn, sets) = (self.turn, self.pawns.sets);
        let steps = STEPS.into_iter().zip(sets).filter(move |(_, set)| set.contains(from));
        steps.filter_map(move |(step, _)| from.offset(ahead(turn, step)))
    }

    /// Finds the legal move that a SAN means.
    ///
    /// # Errors
    /// No legal move fits, the capture mark is wrong, or several moves fit.
    pub fn resolve(&self, san: San) -> Result<Move, SanError> {
        match san {
            San::Normal { role, file, rank, capture, to, promotion } => {
                let fits = |from: Square| {
                    file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
                };
                let from = if role == Role::Pawn {
                    self.resolve_pawn(to, fits, promotion)?
                } else if promotion.is_some() {
                    return Err(SanError::IllegalSan);
                } else {
                    let reaching = self.officers.iter().filter(|o| o.role == role && o.targets.contains(to));
                    only(reaching.map(|officer| officer.from).filter(|&from| fits(from)))?
                };
                let m = self.board_move(role, from, to, promotion);
                if capture == m.is_capture() { Ok(m) } else { Err(SanError::IllegalSan) }
            }
            San::Castle(side) => self.castling_move(side).ok_or(SanError::IllegalSan),
            San::Put { .. } | San::Null => Err(SanError::IllegalSan),
        }
    }

    fn resolve_pawn(
        &self,
        to: Square,
        fits: impl Fn(Square) -> bool,
        promotion: Option<Role>,
    ) -> Result<Square, SanError> {
        let steps = STEPS.into_iter().zip(self.pawns.sets);
        let coming = steps.filter_map(|(step, set)| {
            to.offset(-ahead(self.turn, step)).filter(|&from| set.contains(from) && fits(from))
        });
        let from = only(coming)?;
        let promotes = self.before_last_rank().contains(from);
        let allowed = promotion.is_none_or(|role| PROMOTIONS.contains(&role));
        if promotes == promotion.is_some() && allowed { Ok(from) } else { Err(SanError::IllegalSan) }
    }

    fn index_of_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        let place = u32::try_from(self.pawn_targets(from).position(|target| target == to)?).ok()?;
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

    fn index_of_officer(&self, from: Square, to: Square, role: Role) -> Option<u32> {
        let officer = self.officer_at(from).filter(|o| o.role == role && o.targets.contains(to))?;
        let before = self.before(to);
        let castlings = if role == Role::King && self.castlings_count() > 0 {
            self.castlings().filter(|(target, _)| before.contains(*target)).count()
        } else {
            0
        };
        Some(self.moves_before(from) + size(officer.targets & before) + u32::try_from(castlings).ok()?)
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
        let (place, choice) = if promotes { (index / 4, Some(index % 4)) } else { (index, None) };
        let to = self.pawn_targets(from).nth(usize::try_from(place).ok()?)?;
        let promotion = match choice {
            Some(choice) => Some(*PROMOTIONS.get(usize::try_from(choice).ok()?)?),
            None => None,
        };
        Some(self.board_move(Role::Pawn, from, to, promotion))
    }

    /// The squares that have a legal move.
    fn movers(&self) -> Bitboard {
        let pawns = self.pawns.sets.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let officers = self.officers.iter().fold(pawns, |all, officer| all.with(officer.from));
        if self.castlings_count() > 0 { officers.with(self.king) } else { officers }
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
            Move::Normal { role, from, to, promotion: None, .. } => self.index_of_officer(from, to, role),
            Move::EnPassant { from, to } => {
                self.pawns.en_passant.filter(|&square| square == to)?;
                self.index_of_pawn(from, to, None)
            }
            Move::Castle { .. } => self.index_of_castling(m),
            Move::Normal { .. } | Move::Put { .. } => None,
        }
    }

    fn nth(&self, mut index: u32) -> Option<Move> {
        if index >= self.count {
            return None;
        }
        let mut movers = self.movers();
        while let Some(from) = self.take_first(&mut movers) {
            let officer = self.officer_at(from);
            let castlings = if from == self.king { self.castlings_count() } else { 0 };
            let moves = match officer {
                Some(officer) => u32::from(officer.count) + castlings,
                None if castlings > 0 => castlings,
                None => self.pawn_moves(Bitboard::from(from)),
            };
            if index < moves {
                let is_pawn = officer.is_none() && castlings == 0;
                return if is_pawn {
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

/// The only one of some squares.
fn only(mut squares: impl Iterator<Item = Square>) -> Result<Square, SanError> {
    let first = squares.next().ok_or(SanError::IllegalSan)?;
    if squares.next().is_some() { Err(SanError::AmbiguousSan) } else { Ok(first) }
}

/// The number of squares in a set.
fn size(set: Bitboard) -> u32 {
    set.0.count_ones()
}
