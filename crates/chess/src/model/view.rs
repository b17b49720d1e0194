//! A position as its mover sees it: the pieces of both sides, what each attacks, and which are in danger.

use super::squares::{
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROLES, ROOK, VALUES, attacks_of, bit, each, enemy_pawn_attacks, has,
    own_pawn_attacks,
};
use crate::chess::Placement;

/// The classes of pieces by value: none, pawn, minor piece, rook, queen, king.
pub(super) const CLASSES: usize = 6;
/// The class of each role.
pub(super) const CLASS: [usize; ROLES] = [1, 2, 2, 3, 4, 5];

/// The states of a piece: not attacked, and undefended or defended; attacked and defended; attacked and undefended;
/// defended, but attacked by a piece of a lower class.
pub(super) const STATES: usize = 5;

/// One side.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    /// The pieces by role.
    pub pieces: [u64; ROLES],
    pub all: u64,
    /// The pieces of at least a class.
    pub at_least: [u64; CLASSES + 1],
    /// The squares attacked by pieces of at most a class.
    pub up_to: [u64; CLASSES],
    /// The squares attacked by at least one, two and three pieces.
    pub attacked: [u64; 3],
}

impl Side {
    #[inline(always)]
    fn new(pieces: [u64; ROLES], all: u64) -> Side {
        let mut at_least = [0; CLASSES + 1];
        for (role, pieces) in pieces.iter().enumerate() {
            at_least[CLASS[role]] |= pieces;
        }
        for class in (1..CLASSES - 1).rev() {
            at_least[class] |= at_least[class + 1];
        }
        Side { pieces, all, at_least, ..Side::default() }
    }

    /// The highest class of the pieces in a set; 0 if there are none.
    #[inline(always)]
    pub(super) fn class_in(&self, set: u64) -> u16 {
        // Counting the empty sets is one instruction per vector less than counting the others.
        let missing = self.at_least[1..CLASSES].iter().map(|pieces| u64::from(set & pieces == 0));
        (CLASSES as u64 - 1 - missing.sum::<u64>()) as u16
    }

    /// The pieces of a higher class than a role's.
    #[inline(always)]
    pub(super) fn more_valuable_than(&self, role: usize) -> u64 {
        self.at_least[CLASS[role] + 1]
    }

    #[inline(always)]
    fn add_attacks(&mut self, class: usize, squares: u64) {
        let [once, twice, thrice] = &mut self.attacked;
        *thrice |= *twice & squares;
        *twice |= *once & squares;
        *once |= squares;
        self.up_to[class] |= squares;
    }

    /// The value of the pieces other than pawns, in pawns.
    #[inline(always)]
    pub(super) fn non_pawn_material(&self) -> usize {
        let pieces = self.pieces.iter().zip(VALUES).skip(1);
        pieces.map(|(set, value)| set.count_ones() as usize * value as usize).sum()
    }
}

/// A position as its mover sees it.
pub(super) struct View {
    /// XOR with a square's number gives the square as the mover sees it.
    pub flip: usize,
    pub own: Side,
    pub enemy: Side,
    pub occupied: u64,
    /// The piece on each square: 0 to 5 own, 6 to 11 the enemy's, 12 none.
    pub piece: [u8; 64],
    /// The squares that the piece on each square attacks.
    pub reach: [u64; 64],
    pub king: usize,
    pub enemy_king: usize,
    pub in_check: usize,
    /// Pieces of both sides that are attacked; defended; attacked and undefended; defended, but attacked by a piece of a
    /// lower class.
    attacked: u64,
    defended: u64,
    pub undefended: u64,
    pub by_lesser: u64,
    /// How much non-pawn material is left, from 0 (little) to 3.
    pub phase: usize,
    /// The value of both sides' pieces other than pawns, in pawns.
    pub non_pawn_material: usize,
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
            by_lesser: 0,
            phase: 0,
            non_pawn_material: 0,
        };
        view.find_attacks();
        view.find_states();
        view.non_pawn_material = view.own.non_pawn_material() + view.enemy.non_pawn_material();
        view.phase = (view.non_pawn_material / 16).min(3);
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
            let mut by_lesser = 0;
            for role in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
                by_lesser |= side.pieces[role] & other.up_to[CLASS[role] - 1];
            }
            self.attacked |= attacked;
            self.defended |= defended;
            self.undefended |= attacked & !defended;
            self.by_lesser |= by_lesser & defended;
        }
        self.in_check = has(self.attacked, self.king);
    }

    /// Own pieces other than the king that are undefended, or attacked by a piece of a lower class.
    #[inline(always)]
    pub(super) fn endangered(&self) -> u64 {
        self.own.all & !self.own.pieces[KING] & (self.undefended | self.by_lesser)
    }

    /// The value of all pieces, in pawns.
    #[inline(always)]
    pub(super) fn material(&self) -> usize {
        let pawns = self.own.pieces[PAWN] | self.enemy.pieces[PAWN];
        self.non_pawn_material + pawns.count_ones() as usize
    }

    /// The state of the piece on a square: see [`STATES`].
    #[inline(always)]
    pub(super) fn state(&self, square: usize) -> usize {
        let [attacked, defended] = [self.attacked, self.defended].map(|set| has(set, square));
        let in_danger = 2 + has(self.undefended, square) + 2 * has(self.by_lesser, square);
        if attacked == 0 { defended } else { in_danger }
    }
}
