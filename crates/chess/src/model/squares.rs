//! Sets of squares in the mover's view: the board is mirrored vertically for Black, so that both sides move up the board
//! and castle on the same files.

use shakmaty::{Square, attacks};

/// The number of roles.
pub(super) const ROLES: usize = 6;
pub(super) const PAWN: usize = 0;
pub(super) const KNIGHT: usize = 1;
pub(super) const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
pub(super) const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

/// The values of the roles, in pawns.
pub(super) const VALUES: [i16; ROLES] = [1, 3, 3, 5, 9, 0];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The set of one square.
#[inline(always)]
pub(super) fn bit(square: usize) -> u64 {
    1 << (square & 63)
}

/// 1 if a square is in a set, otherwise 0.
#[inline(always)]
pub(super) fn has(set: u64, square: usize) -> usize {
    (set >> (square & 63) & 1) as usize
}

/// The squares of a set, in ascending order.
#[inline(always)]
pub(super) fn each(set: u64) -> Each {
    Each(set)
}

/// An iterator over the squares of a set.
// A closure that is not inlined is compiled without the features of the processor, so loops do not use closures.
pub(super) struct Each(u64);

impl Iterator for Each {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (first < 64).then_some(first)
    }
}

/// A square by its number, of which only the lowest six bits count.
#[inline(always)]
pub(super) fn square(number: usize) -> Square {
    Square::new(number as u32 & 63)
}

/// The squares next to those of a set, on the same rank.
#[inline(always)]
pub(super) fn adjacent(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The squares that own pawns attack: to the west and to the east.
#[inline(always)]
pub(super) fn own_pawn_attacks(pawns: u64) -> [u64; 2] {
    [(pawns & !FILE_A) << 7, (pawns & !FILE_H) << 9]
}

/// The squares that enemy pawns attack: to the west and to the east.
#[inline(always)]
pub(super) fn enemy_pawn_attacks(pawns: u64) -> [u64; 2] {
    [(pawns & !FILE_A) >> 9, (pawns & !FILE_H) >> 7]
}

/// The squares that a piece other than a pawn attacks from a square.
#[inline(always)]
pub(super) fn attacks_of(role: usize, from: usize, occupied: u64) -> u64 {
    match role {
        KNIGHT => attacks::knight_attacks(square(from)).0,
        BISHOP => diagonals(from, occupied),
        ROOK => files_and_ranks(from, occupied),
        QUEEN => diagonals(from, occupied) | files_and_ranks(from, occupied),
        _ => attacks::king_attacks(square(from)).0,
    }
}

/// The squares that an own piece attacks from a square.
// The roles of successive moves are hard to predict, so there are two cases instead of six.
#[inline(always)]
pub(super) fn own_attacks_of(role: usize, from: usize, occupied: u64) -> u64 {
    if matches!(role, BISHOP | ROOK | QUEEN) {
        slides_of(role, from, occupied)
    } else {
        LEAPS[role % ROLES][from & 63]
    }
}

/// The squares that a bishop, rook or queen attacks from a square, without a branch on the role.
#[inline(always)]
fn slides_of(role: usize, from: usize, occupied: u64) -> u64 {
    let if_not = |other| u64::from(role != other).wrapping_neg();
    diagonals(from, occupied) & if_not(ROOK) | files_and_ranks(from, occupied) & if_not(BISHOP)
}

/// The squares that own pawns, knights and kings attack from each square.
static LEAPS: [[u64; 64]; ROLES] = {
    let (mut leaps, mut index) = ([[0; 64]; ROLES], 0);
    while index < 64 * 64 {
        let (from, to) = (index / 64, index % 64);
        let up = to as i32 / 8 - from as i32 / 8;
        let across = (to as i32 % 8 - from as i32 % 8).unsigned_abs();
        match (up.unsigned_abs(), across) {
            (1, 2) | (2, 1) => leaps[KNIGHT][from] |= 1 << to,
            (0 | 1, 1) | (1, 0) => leaps[KING][from] |= 1 << to,
            _ => {}
        }
        if up == 1 && across == 1 {
            leaps[PAWN][from] |= 1 << to;
        }
        index += 1;
    }
    leaps
};

#[inline(always)]
fn files_and_ranks(from: usize, occupied: u64) -> u64 {
    let [rank, file, ..] = &LINES[from & 63];
    rank.attacks(occupied) | file.attacks(occupied)
}

#[inline(always)]
fn diagonals(from: usize, occupied: u64) -> u64 {
    let [_, _, diagonal, anti_diagonal] = &LINES[from & 63];
    diagonal.attacks(occupied) | anti_diagonal.attacks(occupied)
}

/// The two halves of a line through a square, without the square.
#[derive(Clone, Copy)]
struct Line {
    below: u64,
    above: u64,
}

impl Line {
    /// The squares up to and including the first piece on both sides ("obstruction difference").
    // Magic tables would need 694 KiB instead of 4 KiB, and compete with the model for the cache.
    #[inline(always)]
    fn attacks(&self, occupied: u64) -> u64 {
        let (below, above) = (occupied & self.below, occupied & self.above);
        let last_below = 1 << 63 >> (below | 1).leading_zeros();
        let first_above = above & above.wrapping_neg();
        first_above.wrapping_mul(2).wrapping_sub(last_below) & (self.below | self.above)
    }
}

/// The rank, the file and both diagonals through each square.
static LINES: [[Line; 4]; 64] = {
    let (mut lines, mut index) = ([[Line { below: 0, above: 0 }; 4]; 64], 0);
    const STEPS: [[i32; 2]; 4] = [[0, 1], [1, 0], [1, 1], [1, -1]];
    while index < 64 * 4 * 64 {
        let (from, line, other) = (index / 256, index / 64 % 4, index % 64);
        let up = other as i32 / 8 - from as i32 / 8;
        let across = other as i32 % 8 - from as i32 % 8;
        let [step_up, step_across] = STEPS[line];
        if up * step_across == across * step_up && other < from {
            lines[from][line].below |= 1 << other;
        }
        if up * step_across == across * step_up && other > from {
            lines[from][line].above |= 1 << other;
        }
        index += 1;
    }
    lines
};

/// The squares between two squares of a line, without both.
#[inline(always)]
pub(super) fn between(a: usize, b: usize) -> u64 {
    attacks::between(square(a), square(b)).0
}

/// Whether three squares are on one line.
#[inline(always)]
pub(super) fn aligned(a: usize, b: usize, c: usize) -> bool {
    attacks::aligned(square(a), square(b), square(c))
}

/// The size of a grid of 15 by 15 squares: it contains the whole board whichever square is in its middle.
pub(super) const OFFSETS: usize = 225;

/// The pawns on a square and its neighbours, as nine bits.
#[inline(always)]
pub(super) fn pawns_around(set: u64, square: usize) -> usize {
    /// Which of the three files exist.
    const FILES: [u64; 8] = [0o666, 0o777, 0o777, 0o777, 0o777, 0o777, 0o777, 0o333];
    // Rotating instead of shifting is correct for pawns, which are never on the first or the last rank.
    let low = set.rotate_right(square as u32 + 55);
    ((low & 0o7 | low >> 5 & 0o70 | low >> 10 & 0o700) & FILES[square & 7]) as usize
}
