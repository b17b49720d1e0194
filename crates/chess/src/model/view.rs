//! A position as its mover sees it: the pieces of both sides, what each attacks, and which are in danger.

use super::squares::{
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROLES, ROOK, attacks_of, bit, each, enemy_pawn_attacks, has,
    own_pawn_attacks,
};
use crate::chess::Placement;

/// The number of values of pieces: pawn, minor piece, rook, queen, king, from 1 to 5.
pub(super) const CLASSES: usize = 6;
/// The class of value of each role.
pub(super) const CLASS: [usize; ROLES] = [1, 2, 2, 3, 4, 5];

/// The states of a piece: safe without and with defence; attacked and defended; attacked and undefended; attacked by a
/// cheaper piece, and defended.
pub(super) const STATES: usize = 5;

/// One side.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    /// The pieces by role.
    pub pieces: [u64; ROLES],
    pub all: u64,
    /// The pieces of a class or dearer ones.
    pub from_class: [u64; CLASSES],
    /// The squares attacked by pieces of a class or cheaper ones.
    pub up_to: [u64; CLASSES],
    /// The squares attacked at least once, twice, three times (twice by pawns counts, three times does not).
    pub attacked: [u64; 3],
}

impl Side {
    #[inline(always)]
    fn new(pieces: [u64; ROLES], all: u64) -> Side {
        let mut from_class = [0; CLASSES];
        for (role, pieces) in pieces.iter().enumerate() {
            from_class[CLASS[role]] |= pieces;
        }
        for class in (1..CLASSES - 1).rev() {
            from_class[class] |= from_class[class + 1];
        }
        Side { pieces, all, from_class, ..Side::default() }
    }

    /// The dearest class of pieces in a set; 0 if there is none.
    #[inline(always)]
    pub(super) fn class_in(&self, set: u64) -> u16 {
        let cheaper = self.from_class[1..].iter().map(|dear| u64::from(set & dear == 0));
        (CLASSES as u64 - 1 - cheaper.sum::<u64>()) as u16
    }

    #[inline(always)]
    fn add_attacks(&mut self, class: usize, squares: u64) {
        let [once, twice, thrice] = &mut self.attacked;
        *thrice |= *twice & squares;
        *twice |= *once & squares;
        *once |= squares;
        self.up_to[class] |= squares;
    }

    /// The value of the officers, in pawns.
    #[inline(always)]
    pub(super) fn officers(&self) -> usize {
        let [_, knights, bishops, rooks, queens, _] = self.pieces;
        let count = |set: u64| set.count_ones() as usize;
        3 * count(knights | bishops) + 5 * count(rooks) + 9 * count(queens)
    }
}

/// A position as its mover sees it.
pub(super) struct View {
    /// What a square's number is combined with (exclusive or) to get the mover's view.
    pub flip: usize,
    pub own: Side,
    pub enemy: Side,
    pub occupied: u64,
    /// The piece on each square: 0 to 5 own, 6 to 11 the enemy's.
    pub piece: [u8; 64],
    /// What the piece on each square attacks.
    pub reach: [u64; 64],
    pub king: usize,
    pub enemy_king: usize,
    pub in_check: usize,
    /// Pieces of both sides that are attacked; defended; attacked and undefended; attacked by a cheaper piece, and
    /// defended.
    attacked: u64,
    defended: u64,
    pub undefended: u64,
    pub by_cheaper: u64,
    /// How many officers are left, from 0 (few) to 3.
    pub phase: usize,
    /// The value of both sides' officers, in pawns.
    pub officers: usize,
}

impl View {
    #[inline(always)]
    pub(super) fn new(placement: Placement<'_>) -> View {
        let Placement { board, turn, .. } = placement;
        let seen = |set: shakmaty::Bitboard| if turn.is_white() { set.0 } else { set.0.swap_bytes() };
        let roles =
            [board.pawns(), board.knights(), board.bishops(), board.rooks(), board.queens(), board.kings()];
        let side = |color| {
            let all = board.by_color(color);
            Side::new(roles.map(|role| seen(role & all)), seen(all))
        };
        let (own, enemy) = (side(turn), side(!turn));
        let mut view = View {
            flip: if turn.is_white() { 0 } else { 56 },
            occupied: own.all | enemy.all,
            king: own.pieces[KING].trailing_zeros() as usize & 63,
            enemy_king: enemy.pieces[KING].trailing_zeros() as usize & 63,
            own,
            enemy,
            piece: [12; 64],
            reach: [0; 64],
            in_check: 0,
            attacked: 0,
            defended: 0,
            undefended: 0,
            by_cheaper: 0,
            phase: 0,
            officers: 0,
        };
        view.find_attacks();
        view.find_states();
        view.officers = view.own.officers() + view.enemy.officers();
        view.phase = (view.officers / 16).min(3);
        view
    }

    #[inline(always)]
    fn find_attacks(&mut self) {
        let View { own, enemy, piece, reach, occupied, .. } = self;
        for (side, first, pawn_attacks) in
            [(own, 0, own_pawn_attacks as fn(u64) -> [u64; 2]), (enemy, ROLES, enemy_pawn_attacks)]
        {
            let [west, east] = pawn_attacks(side.pieces[PAWN]);
            side.add_attacks(CLASS[PAWN], west);
            side.add_attacks(CLASS[PAWN], east);
            for from in each(side.pieces[PAWN]) {
                let [west, east] = pawn_attacks(bit(from));
                piece[from] = first as u8;
                reach[from] = west | east;
            }
            for role in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
                for from in each(side.pieces[role]) {
                    let squares = attacks_of(role, from, *occupied);
                    piece[from] = (first + role) as u8;
                    reach[from] = squares;
                    side.add_attacks(CLASS[role], squares);
                }
            }
            for class in 1..CLASSES {
                side.up_to[class] |= side.up_to[class - 1];
            }
        }
    }

    #[inline(always)]
    fn find_states(&mut self) {
        for (side, other) in [(self.own, self.enemy), (self.enemy, self.own)] {
            let attacked = side.all & other.attacked[0];
            let defended = side.all & side.attacked[0];
            let mut cheaper = 0;
            for role in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
                cheaper |= side.pieces[role] & other.up_to[CLASS[role] - 1];
            }
            self.attacked |= attacked;
            self.defended |= defended;
            self.undefended |= attacked & !defended;
            self.by_cheaper |= cheaper & defended;
        }
        self.in_check = has(self.attacked, self.king);
    }

    /// The value of all pieces, in pawns.
    #[inline(always)]
    pub(super) fn material(&self) -> usize {
        let pawns = self.own.pieces[PAWN] | self.enemy.pieces[PAWN];
        self.officers + pawns.count_ones() as usize
    }

    /// The state of the piece on a square: see [`STATES`].
    #[inline(always)]
    pub(super) fn state(&self, square: usize) -> usize {
        let [attacked, defended] = [self.attacked, self.defended].map(|set| has(set, square));
        // 0 and 1 if it is not attacked; 2, or 3 if undefended, or 4 if by a cheaper piece.
        let in_danger = 2 + has(self.undefended, square) + 2 * has(self.by_cheaper, square);
        if attacked == 0 { defended } else { in_danger }
    }
}
