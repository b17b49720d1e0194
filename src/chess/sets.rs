//! The legal moves of standard chess and Chess960 as sets of squares: count, index and n-th move come from
//! population counts, and no move list is ever made or sorted.
//!
//! Everything here is seen by the side to move from its own corner: for Black the board is turned by 180
//! degrees, so that pawns always go up and squares always count as in [the order](super::MoveKey).
//!
//! Pawns move as whole sets. Each set is kept shifted back to the squares the pawns come from, so the moves
//! of pawns "below square f" are four population counts. Within one from-square the targets are, in order,
//! west capture, push, east capture, double push. Officers keep one set of targets each.

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks,
    san::{San, SanError},
};

use crate::rules::LegalMoves;

/// Most officers (king included) one side may have: all its men but none of them a pawn.
pub(super) const MAX_OFFICERS: usize = 16;

/// The roles a pawn promotes to, in canonical order.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The squares of the rank pawns promote from, in the mover's view.
const SEVENTH: Bitboard = Bitboard::from_rank(Rank::Seventh);

/// The legal moves of one position of standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct LegalSets {
    turn: Color,
    /// The pieces of both sides by role, in the mover's view; needed to say what a move captures.
    roles: [Bitboard; 6],
    them: Bitboard,
    pawns: PawnSets,
    officers: ArrayVec<Officer, MAX_OFFICERS>,
    castling: Castling,
    count: u32,
}

/// From-squares of the pawns that have each kind of move.
#[derive(Clone, Copy, Debug, Default)]
struct PawnSets {
    west: Bitboard,
    push: Bitboard,
    east: Bitboard,
    double: Bitboard,
    /// The target of a legal en passant capture (already counted in `west` and `east`).
    en_passant: Option<Square>,
}

/// A knight, bishop, rook, queen or king with its legal targets.
#[derive(Clone, Copy, Debug)]
struct Officer {
    from: Square,
    role: Role,
    targets: Bitboard,
}

/// The rooks that the king may castle with now: on the king's side, on the queen's side.
#[derive(Clone, Copy, Debug, Default)]
struct Castling {
    rooks: [Option<Square>; 2],
}

impl Castling {
    fn count(self) -> u32 {
        self.rooks.iter().map(|rook| u32::from(rook.is_some())).sum()
    }
}

/// The position as the side to move sees it.
struct View {
    us: Bitboard,
    them: Bitboard,
    roles: [Bitboard; 6],
    king: Square,
}

impl View {
    fn new(position: &Chess) -> View {
        let board = position.board();
        let turned = position.turn().is_black();
        let turn = |set: Bitboard| if turned { set.rotate_180() } else { set };
        let roles = Role::ALL.map(|role| turn(board.by_role(role)));
        let us = turn(position.us());
        // Standard chess always has both kings; a1 would only make the sets wrong, never panic.
        let king = (roles[5] & us).first().unwrap_or(Square::A1);
        View { us, them: turn(position.them()), roles, king }
    }

    fn of(&self, role: Role) -> Bitboard {
        self.roles[usize::from(role) - 1]
    }

    fn occupied(&self) -> Bitboard {
        self.us | self.them
    }

    fn diagonal_enemies(&self) -> Bitboard {
        self.them & (self.of(Role::Bishop) | self.of(Role::Queen))
    }

    fn straight_enemies(&self) -> Bitboard {
        self.them & (self.of(Role::Rook) | self.of(Role::Queen))
    }

    /// Enemy pieces that attack a square when the given squares are occupied.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn_attacks(Color::White, square) & self.them & self.of(Role::Pawn))
            | (attacks::knight_attacks(square) & self.them & self.of(Role::Knight))
            | (attacks::bishop_attacks(square, occupied) & self.diagonal_enemies())
            | (attacks::rook_attacks(square, occupied) & self.straight_enemies())
            | (attacks::king_attacks(square) & self.them & self.of(Role::King))
    }

    /// Our pieces that stand alone between our king and an enemy slider.
    fn pinned(&self) -> Bitboard {
        let snipers = (attacks::rook_attacks(self.king, Bitboard::EMPTY) & self.straight_enemies())
            | (attacks::bishop_attacks(self.king, Bitboard::EMPTY) & self.diagonal_enemies());
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(self.king, sniper) & self.occupied();
            if !between.more_than_one() {
                pinned |= between;
            }
        }
        pinned & self.us
    }
}

impl LegalSets {
    /// Generates the legal moves of a position.
    pub fn new(position: &Chess) -> LegalSets {
        let view = View::new(position);
        let checkers = view.attackers(view.king, view.occupied());
        let pinned = view.pinned();
        let mut sets = LegalSets {
            turn: position.turn(),
            roles: view.roles,
            them: view.them,
            pawns: PawnSets::default(),
            officers: ArrayVec::new(),
            castling: Castling::default(),
            count: 0,
        };
        let evasions = match checkers.single_square() {
            Some(checker) => attacks::between(view.king, checker).with(checker),
            None => Bitboard::FULL,
        };
        if !checkers.more_than_one() {
            sets.pawns = pawn_sets(&view, pinned, evasions, en_passant_square(position));
            sets.add_officers(&view, pinned, evasions);
        }
        sets.add_officer(view.king, Role::King, king_targets(&view));
        if checkers.is_empty() && position.castles().has_color(position.turn()) {
            sets.castling = castling(position);
        }
        sets.count = sets.count_all();
        sets
    }

    fn add_officers(&mut self, view: &View, pinned: Bitboard, evasions: Bitboard) {
        let allowed = evasions & !view.us;
        for from in view.us & view.of(Role::Knight) & !pinned {
            self.add_officer(from, Role::Knight, attacks::knight_attacks(from) & allowed);
        }
        for from in view.us & view.of(Role::Bishop) {
            self.add_slider(
                view,
                pinned,
                from,
                Role::Bishop,
                attacks::bishop_attacks(from, view.occupied()) & allowed,
            );
        }
        for from in view.us & view.of(Role::Rook) {
            self.add_slider(
                view,
                pinned,
                from,
                Role::Rook,
                attacks::rook_attacks(from, view.occupied()) & allowed,
            );
        }
        for from in view.us & view.of(Role::Queen) {
            self.add_slider(
                view,
                pinned,
                from,
                Role::Queen,
                attacks::queen_attacks(from, view.occupied()) & allowed,
            );
        }
    }

    fn add_slider(&mut self, view: &View, pinned: Bitboard, from: Square, role: Role, targets: Bitboard) {
        let line = if pinned.contains(from) { attacks::ray(view.king, from) } else { Bitboard::FULL };
        self.add_officer(from, role, targets & line);
    }

    fn add_officer(&mut self, from: Square, role: Role, targets: Bitboard) {
        if targets.any() {
            // Positions with more officers are refused when they are set up.
            let _ = self.officers.try_push(Officer { from, role, targets });
        }
    }

    fn count_all(&self) -> u32 {
        let officers: u32 = self.officers.iter().map(|officer| size(officer.targets)).sum();
        self.pawn_moves(Bitboard::FULL) + officers + self.castling.count()
    }

    /// The number of moves of the pawns on the given squares.
    fn pawn_moves(&self, from: Bitboard) -> u32 {
        let PawnSets { west, push, east, double, .. } = self.pawns;
        let plain = size(west & from) + size(push & from) + size(east & from) + size(double & from);
        let promoting = from & SEVENTH;
        if ((west | push | east) & promoting).is_empty() {
            return plain;
        }
        plain + 3 * (size(west & promoting) + size(push & promoting) + size(east & promoting))
    }

    /// The number of moves from squares below the given one.
    fn moves_before(&self, from: Square) -> u32 {
        let officers = self.officers.iter().filter(|officer| officer.from < from);
        let officers: u32 = officers.map(|officer| size(officer.targets)).sum();
        let castling = if self.king() < from { self.castling.count() } else { 0 };
        self.pawn_moves(below(from)) + officers + castling
    }

    fn king(&self) -> Square {
        (self.roles[5] & !self.them).first().unwrap_or(Square::A1)
    }

    fn officer_at(&self, from: Square) -> Option<&Officer> {
        self.officers.iter().find(|officer| officer.from == from)
    }

    /// From the mover's view to the board, or back.
    fn turned(&self, square: Square) -> Square {
        self.turn.fold_wb(square, square.rotate_180())
    }

    fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.roles[usize::from(role) - 1].contains(square))
    }

    /// A move of the board from squares in the mover's view.
    fn board_move(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        if role == Role::Pawn && self.pawns.en_passant == Some(to) && from.file() != to.file() {
            return Move::EnPassant { from: self.turned(from), to: self.turned(to) };
        }
        let capture = if self.them.contains(to) { self.role_at(to) } else { None };
        Move::Normal { role, from: self.turned(from), capture, to: self.turned(to), promotion }
    }

    fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling.rooks[side_index(side)]?;
        Some(Move::Castle { king: self.turned(self.king()), rook })
    }

    /// The castlings in canonical order (by target) with the king's target in the mover's view.
    fn castlings(&self) -> impl Iterator<Item = (Square, Move)> + '_ {
        let sides = match self.turn {
            Color::White => [CastlingSide::QueenSide, CastlingSide::KingSide],
            // Black counts files from h: its king's side comes first.
            Color::Black => [CastlingSide::KingSide, CastlingSide::QueenSide],
        };
        sides
            .into_iter()
            .filter_map(|side| Some((self.turned(side.king_to(self.turn)), self.castling_move(side)?)))
    }

    /// The moves of a pawn in canonical order: its target squares in the mover's view.
    fn pawn_targets(&self, from: Square) -> impl Iterator<Item = Square> {
        let PawnSets { west, push, east, double, .. } = self.pawns;
        [(west, 7), (push, 8), (east, 9), (double, 16)]
            .into_iter()
            .filter(move |(set, _)| set.contains(from))
            .filter_map(move |(_, step)| from.offset(step))
    }

    /// Finds the legal move that a SAN means.
    ///
    /// # Errors
    /// No legal move fits, the capture mark is wrong, or several moves fit.
    pub fn resolve(&self, san: San) -> Result<Move, SanError> {
        match san {
            San::Normal { role, file, rank, capture, to, promotion } => {
                let target = self.turned(to);
                let fits = |from: Square| {
                    let from = self.turned(from);
                    file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
                };
                let m = if role == Role::Pawn {
                    self.resolve_pawn(target, fits, promotion)?
                } else if promotion.is_some() {
                    return Err(SanError::IllegalSan);
                } else {
                    let reaching = self.officers.iter().filter(|officer| officer.role == role);
                    let mut fitting = reaching.filter(|o| o.targets.contains(target) && fits(o.from));
                    let officer = fitting.next().ok_or(SanError::IllegalSan)?;
                    if fitting.next().is_some() {
                        return Err(SanError::AmbiguousSan);
                    }
                    self.board_move(role, officer.from, target, None)
                };
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
    ) -> Result<Move, SanError> {
        let PawnSets { west, push, east, double, .. } = self.pawns;
        let mut found = None;
        for (set, step) in [(west, -7), (push, -8), (east, -9), (double, -16)] {
            if let Some(from) = to.offset(step)
                && set.contains(from)
                && fits(from)
                && found.replace(from).is_some()
            {
                return Err(SanError::AmbiguousSan);
            }
        }
        let from = found.ok_or(SanError::IllegalSan)?;
        let promotes = SEVENTH.contains(from);
        if promotes != promotion.is_some_and(|role| PROMOTIONS.contains(&role))
            || promotes != promotion.is_some()
        {
            return Err(SanError::IllegalSan);
        }
        Ok(self.board_move(Role::Pawn, from, to, promotion))
    }

    fn index_of_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<u32> {
        let place = u32::try_from(self.pawn_targets(from).position(|target| target == to)?).ok()?;
        let before = self.moves_before(from);
        match (SEVENTH.contains(from), promotion) {
            (false, None) => Some(before + place),
            (true, Some(role)) => {
                let choice = PROMOTIONS.iter().position(|&other| other == role)?;
                Some(before + 4 * place + u32::try_from(choice).ok()?)
            }
            _ => None,
        }
    }

    fn index_of_castling(&self, m: Move) -> Option<u32> {
        let before = self.moves_before(self.king());
        let plain = self.officer_at(self.king()).map_or(Bitboard::EMPTY, |king| king.targets);
        let (place, (to, _)) = self.castlings().enumerate().find(|(_, (_, other))| *other == m)?;
        Some(before + size(plain & (below(to) | Bitboard::from(to))) + u32::try_from(place).ok()?)
    }

    fn index_of_officer(&self, from: Square, to: Square, role: Role) -> Option<u32> {
        let officer = self.officer_at(from).filter(|o| o.role == role && o.targets.contains(to))?;
        let castlings = if role == Role::King && self.castling.count() > 0 {
            self.castlings().filter(|(target, _)| *target < to).count()
        } else {
            0
        };
        let before = self.moves_before(from) + size(officer.targets & below(to));
        Some(before + u32::try_from(castlings).ok()?)
    }

    /// The n-th move of the officer (or king, castling included) on a square.
    fn nth_of_officer(&self, from: Square, mut index: u32) -> Option<Move> {
        let targets = self.officer_at(from).map_or(Bitboard::EMPTY, |officer| officer.targets);
        if from == self.king() {
            for (to, castling) in self.castlings() {
                let before = size(targets & (below(to) | Bitboard::from(to)));
                match index.cmp(&before) {
                    std::cmp::Ordering::Less => break,
                    std::cmp::Ordering::Equal => return Some(castling),
                    std::cmp::Ordering::Greater => index -= 1,
                }
            }
        }
        let to = nth_square(targets, index)?;
        Some(self.board_move(self.officer_at(from)?.role, from, to, None))
    }

    /// The n-th move of the pawn on a square.
    fn nth_of_pawn(&self, from: Square, index: u32) -> Option<Move> {
        let promotes = SEVENTH.contains(from);
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
        let PawnSets { west, push, east, double, .. } = self.pawns;
        let officers = self.officers.iter().fold(Bitboard::EMPTY, |set, officer| set.with(officer.from));
        let king = if self.castling.count() > 0 { Bitboard::from(self.king()) } else { Bitboard::EMPTY };
        west | push | east | double | officers | king
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
                self.index_of_pawn(self.turned(from), self.turned(to), promotion)
            }
            Move::Normal { role, from, to, promotion: None, .. } => {
                self.index_of_officer(self.turned(from), self.turned(to), role)
            }
            Move::EnPassant { from, to } => {
                let to = self.turned(to);
                self.pawns.en_passant.filter(|&square| square == to)?;
                self.index_of_pawn(self.turned(from), to, None)
            }
            Move::Castle { .. } => self.index_of_castling(m),
            Move::Normal { .. } | Move::Put { .. } => None,
        }
    }

    fn nth(&self, mut index: u32) -> Option<Move> {
        if index >= self.count {
            return None;
        }
        let king = self.king();
        for from in self.movers() {
            let officer = self.officer_at(from);
            let mut moves = match officer {
                Some(officer) => size(officer.targets),
                None => self.pawn_moves(Bitboard::from(from)),
            };
            if from == king {
                moves += self.castling.count();
            }
            if index < moves {
                return match officer {
                    None if from != king => self.nth_of_pawn(from, index),
                    _ => self.nth_of_officer(from, index),
                };
            }
            index -= moves;
        }
        None
    }
}

/// The en passant square in the mover's view, set after every double step.
fn en_passant_square(position: &Chess) -> Option<Square> {
    position.maybe_ep_square().map(|square| position.turn().fold_wb(square, square.rotate_180()))
}

fn pawn_sets(view: &View, pinned: Bitboard, evasions: Bitboard, en_passant: Option<Square>) -> PawnSets {
    const THIRD: Bitboard = Bitboard::from_rank(Rank::Third);
    let pawns = view.us & view.of(Role::Pawn);
    let empty = !view.occupied();
    // A pinned pawn moves only along its pin: up the king's file, or along one of the king's two diagonals.
    let free = |line: Bitboard| pawns & (!pinned | line);
    let on_file = free(Bitboard::from_file(view.king.file()));
    let stepped = on_file.shift(8) & empty;
    let doubled = (stepped & THIRD).shift(8) & empty;
    let west = west_of(free(anti_diagonal(view.king)));
    let east = east_of(free(diagonal(view.king)));
    let mut sets = PawnSets {
        west: (west & view.them & evasions).shift(-7),
        push: (stepped & evasions).shift(-8),
        east: (east & view.them & evasions).shift(-9),
        double: (doubled & evasions).shift(-16),
        en_passant: None,
    };
    if let Some(to) = en_passant {
        add_en_passant(&mut sets, view, pawns, to);
    }
    sets
}

/// En passant removes two men from one rank, so its safety is tested on the board as it would be.
fn add_en_passant(sets: &mut PawnSets, view: &View, pawns: Bitboard, to: Square) {
    let Some(captured) = to.offset(-8) else { return };
    for from in attacks::pawn_attacks(Color::Black, to) & pawns {
        let occupied = view.occupied().without(from).without(captured).with(to);
        if view.attackers(view.king, occupied).without(captured).any() {
            continue;
        }
        sets.en_passant = Some(to);
        if from.file() > to.file() {
            sets.west.add(from);
        } else {
            sets.east.add(from);
        }
    }
}

fn king_targets(view: &View) -> Bitboard {
    let occupied = view.occupied().without(view.king);
    let enemy_pawns = view.them & view.of(Role::Pawn);
    let mut guarded = enemy_pawns.without(Bitboard::from_file(shakmaty::File::A)).shift(-9)
        | enemy_pawns.without(Bitboard::from_file(shakmaty::File::H)).shift(-7);
    if let Some(enemy_king) = (view.them & view.of(Role::King)).first() {
        guarded |= attacks::king_attacks(enemy_king);
    }
    let mut targets = attacks::king_attacks(view.king) & !view.us & !guarded;
    for to in targets {
        let attacked = (attacks::knight_attacks(to) & view.them & view.of(Role::Knight)).any()
            || (attacks::bishop_attacks(to, occupied) & view.diagonal_enemies()).any()
            || (attacks::rook_attacks(to, occupied) & view.straight_enemies()).any();
        if attacked {
            targets.discard(to);
        }
    }
    targets
}

/// Castling with each rook: the way is free, and the king leaves, crosses and reaches no attacked square.
fn castling(position: &Chess) -> Castling {
    let mut castling = Castling::default();
    let (turn, board, castles) = (position.turn(), position.board(), position.castles());
    let Some(king) = board.king_of(turn) else { return castling };
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
            castling.rooks[side_index(side)] = Some(rook);
        }
    }
    castling
}

fn side_index(side: CastlingSide) -> usize {
    usize::from(side.is_queen_side())
}

/// Squares that pawns reach by capturing towards the a-file.
fn west_of(pawns: Bitboard) -> Bitboard {
    pawns.without(Bitboard::from_file(shakmaty::File::A)).shift(7)
}

/// Squares that pawns reach by capturing towards the h-file.
fn east_of(pawns: Bitboard) -> Bitboard {
    pawns.without(Bitboard::from_file(shakmaty::File::H)).shift(9)
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

/// The squares below the given one.
fn below(square: Square) -> Bitboard {
    Bitboard((1 << square.to_u32()) - 1)
}

/// The number of squares in a set; at most 64, so the conversion is exact.
fn size(set: Bitboard) -> u32 {
    set.0.count_ones()
}

fn nth_square(mut set: Bitboard, index: u32) -> Option<Square> {
    for _ in 0..index {
        set.discard_first();
    }
    set.first()
}
