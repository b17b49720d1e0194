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
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, attacks,
    san::{San, SanError},
};

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

/// From-squares of the pawns that have each kind of move, in the order of [`STEPS`].
#[derive(Clone, Copy, Debug, Default)]
struct PawnSets {
    sets: [Bitboard; 4],
    /// The target of a legal en passant capture (already counted among the captures).
    en_passant: Option<Square>,
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

/// What the generation of moves keeps at hand.
struct View<'a> {
    board: &'a Board,
    turn: Color,
    us: Bitboard,
    them: Bitboard,
    king: Square,
    /// Enemy bishops and queens.
    diagonal: Bitboard,
    /// Enemy rooks and queens.
    straight: Bitboard,
}

impl View<'_> {
    fn new(position: &Chess) -> View<'_> {
        let (board, turn) = (position.board(), position.turn());
        let them = board.by_color(!turn);
        View {
            board,
            turn,
            us: board.by_color(turn),
            them,
            // Standard chess always has both kings; a1 would only make the sets wrong, never panic.
            king: board.king_of(turn).unwrap_or(Square::A1),
            diagonal: them & board.bishops_and_queens(),
            straight: them & board.rooks_and_queens(),
        }
    }

    /// Enemy sliders that would attack a square on an empty board. (Looked up without blockers, only a few
    /// lines of the attack tables are ever touched; with blockers, most of their 700 KiB.)
    fn snipers(&self, square: Square) -> Bitboard {
        (attacks::rook_attacks(square, Bitboard::EMPTY) & self.straight)
            | (attacks::bishop_attacks(square, Bitboard::EMPTY) & self.diagonal)
    }

    /// Whether an enemy slider attacks a square when the given squares are occupied.
    fn attacked_by_slider(&self, square: Square, occupied: Bitboard) -> bool {
        let mut snipers = self.snipers(square).into_iter();
        snipers.any(|sniper| (attacks::between(square, sniper) & occupied).is_empty())
    }

    /// Enemy pieces that give check, and our pieces that are pinned to the king.
    fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let mut checkers = (attacks::pawn_attacks(self.turn, self.king) & self.them & self.board.pawns())
            | (attacks::knight_attacks(self.king) & self.them & self.board.knights());
        let mut alone = Bitboard::EMPTY;
        for sniper in self.snipers(self.king) {
            let between = attacks::between(self.king, sniper) & self.board.occupied();
            if between.is_empty() {
                checkers.add(sniper);
            } else if !between.more_than_one() {
                alone |= between;
            }
        }
        (checkers, alone & self.us)
    }

    /// Squares that enemy pawns, knights and the enemy king attack.
    fn attacked_by_steppers(&self) -> Bitboard {
        let pawns = self.them & self.board.pawns();
        let mut attacked = match self.turn {
            Color::White => without(pawns, File::A).shift(-9) | without(pawns, File::H).shift(-7),
            Color::Black => without(pawns, File::A).shift(7) | without(pawns, File::H).shift(9),
        };
        for knight in self.them & self.board.knights() {
            attacked |= attacks::knight_attacks(knight);
        }
        for king in self.them & self.board.kings() {
            attacked |= attacks::king_attacks(king);
        }
        attacked
    }

    fn king_targets(&self) -> Bitboard {
        let mut targets = attacks::king_attacks(self.king) & !self.us & !self.attacked_by_steppers();
        let occupied = self.board.occupied().without(self.king);
        for to in targets {
            // A slider that is taken attacks nothing; one behind it still does.
            if self.attacked_by_slider(to, occupied) {
                targets.discard(to);
            }
        }
        targets
    }

    /// Pawn moves. A pinned pawn moves only along its pin: on the king's file, or on one of its diagonals.
    fn pawn_sets(&self, pinned: Bitboard, evasions: Bitboard) -> PawnSets {
        let pawns = self.us & self.board.pawns();
        let pinned = pinned & pawns;
        let free = |line: Bitboard| pawns & (!pinned | line);
        let (west, straight, east) = if pinned.is_empty() {
            (pawns, pawns, pawns)
        } else {
            (
                free(anti_diagonal(self.king)),
                free(Bitboard::from_file(self.king.file())),
                free(diagonal(self.king)),
            )
        };
        let empty = !self.board.occupied();
        let sets = match self.turn {
            Color::White => {
                let pushed = straight.shift(8) & empty;
                let doubled = (pushed & Bitboard::from_rank(Rank::Third)).shift(8) & empty;
                [
                    (without(west, File::A).shift(7) & self.them & evasions).shift(-7),
                    (pushed & evasions).shift(-8),
                    (without(east, File::H).shift(9) & self.them & evasions).shift(-9),
                    (doubled & evasions).shift(-16),
                ]
            }
            Color::Black => {
                let pushed = straight.shift(-8) & empty;
                let doubled = (pushed & Bitboard::from_rank(Rank::Sixth)).shift(-8) & empty;
                [
                    (without(west, File::H).shift(-7) & self.them & evasions).shift(7),
                    (pushed & evasions).shift(8),
                    (without(east, File::A).shift(-9) & self.them & evasions).shift(9),
                    (doubled & evasions).shift(16),
                ]
            }
        };
        PawnSets { sets, en_passant: None }
    }

    /// En passant removes two men from one rank, so its safety is tested on the board as it would be.
    fn add_en_passant(&self, sets: &mut PawnSets, checkers: Bitboard, to: Square) {
        let Some(captured) = to.offset(-ahead(self.turn, 8)) else { return };
        let other_checkers = checkers.without(captured) & !(self.diagonal | self.straight);
        for from in attacks::pawn_attacks(!self.turn, to) & self.us & self.board.pawns() {
            let occupied = self.board.occupied().without(from).without(captured).with(to);
            if other_checkers.any() || self.attacked_by_slider(self.king, occupied) {
                continue;
            }
            sets.en_passant = Some(to);
            let east = (from.file() < to.file()) == self.turn.is_white();
            sets.sets[if east { 2 } else { 0 }].add(from);
        }
    }
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

/// Castling with each rook: the way is free, and the king leaves, crosses and reaches no attacked square.
fn castling(position: &Chess) -> [Option<Square>; 2] {
    let mut rooks = [None; 2];
    let (turn, board, castles) = (position.turn(), position.board(), position.castles());
    let Some(king) = board.king_of(turn) else { return rooks };
    for side in CastlingSide::ALL {
        let Some(rook) = castles.rook(turn, side) else { continue };
        if (castles.path(turn, side) & board.occupied()).any() {
            continue;
        }
        let king_to = side.king_to(turn);
        let castled = board.occupied()
            ^ Bitboard::from(king)
            ^ Bitboard::from(rook)
            ^ Bitboard::from(side.rook_to(turn));
        let attacked = |square, occupied| board.attacks_to(square, !turn, occupied).any();
        let way = attacks::between(king, king_to).with(king);
        let without_king = board.occupied().without(king);
        if !attacked(king_to, castled) && !way.into_iter().any(|square| attacked(square, without_king)) {
            rooks[side_index(side)] = Some(rook);
        }
    }
    rooks
}

fn side_index(side: CastlingSide) -> usize {
    usize::from(side.is_queen_side())
}

/// The only one of some squares.
fn only(mut squares: impl Iterator<Item = Square>) -> Result<Square, SanError> {
    let first = squares.next().ok_or(SanError::IllegalSan)?;
    if squares.next().is_some() { Err(SanError::AmbiguousSan) } else { Ok(first) }
}

/// A step up the board for White, down for Black.
fn ahead(turn: Color, step: i32) -> i32 {
    turn.fold_wb(step, -step)
}

fn without(set: Bitboard, file: File) -> Bitboard {
    set & !Bitboard::from_file(file)
}

/// The whole diagonal (a1-h8 direction) through a square.
fn diagonal(square: Square) -> Bitboard {
    line_through(square, 9)
}

/// The whole diagonal (h1-a8 direction) through a square.
fn anti_diagonal(square: Square) -> Bitboard {
    line_through(square, 7)
}

fn line_through(square: Square, step: i32) -> Bitboard {
    let toward = |step| square.offset(step).filter(|other| square.distance(*other) == 1);
    toward(step).or_else(|| toward(-step)).map_or(Bitboard::EMPTY, |other| attacks::ray(square, other))
}

/// The number of squares in a set.
fn size(set: Bitboard) -> u32 {
    set.0.count_ones()
}
