//! Attacks along lines, from tables that stay in the first cache: 6 KiB where the usual magic tables take
//! 700 KiB, most of which an import or a replay would have to fetch again and again.
//!
//! On each line through a square, the attacked squares reach from the nearest man below to the nearest man
//! above. With both as single bits, twice the one above minus the one below has exactly the bits between
//! them set (the "obstruction difference" of bitboard programmers).

use shakmaty::{Bitboard, Square};

/// One line through a square, without the square: the squares with smaller numbers and those with larger.
#[derive(Clone, Copy)]
struct Line {
    below: u64,
    above: u64,
}

/// Rank, file, both diagonals.
const LINES_OF: [[Line; 4]; 64] = lines();
static LINES: [[Line; 4]; 64] = LINES_OF;

/// The directions of the lines toward larger numbers, as (files, ranks).
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const fn lines() -> [[Line; 4]; 64] {
    let mut lines = [[Line { below: 0, above: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut n = 0;
        while n < 4 {
            let (files, ranks) = DIRECTIONS[n];
            lines[square][n] = Line { below: ray(square, -files, -ranks), above: ray(square, files, ranks) };
            n += 1;
        }
        square += 1;
    }
    lines
}

/// The squares that are met on the way from a square to the edge of the board.
const fn ray(square: usize, files: i32, ranks: i32) -> u64 {
    let (mut file, mut rank, mut squares) = ((square % 8) as i32 + files, (square / 8) as i32 + ranks, 0);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        (file, rank) = (file + files, rank + ranks);
    }
    squares
}

impl Line {
    #[inline]
    const fn all(self) -> u64 {
        self.below | self.above
    }

    #[inline(always)]
    fn attacked(self, occupied: Bitboard) -> u64 {
        let (below, above) = (self.below & occupied.0, self.above & occupied.0);
        let nearest_below = 1 << 63 >> (below | 1).leading_zeros();
        let nearest_above = above & above.wrapping_neg();
        self.all() & nearest_above.wrapping_mul(2).wrapping_sub(nearest_below)
    }
}

#[inline]
fn lines_of(square: Square) -> &'static [Line; 4] {
    &LINES[square.to_usize()]
}

/// The squares that a rook attacks.
#[inline(always)]
pub(super) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [rank, file, ..] = lines_of(square);
    Bitboard(rank.attacked(occupied) | file.attacked(occupied))
}

/// The squares that a bishop attacks.
#[inline(always)]
pub(super) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [_, _, diagonal, anti_diagonal] = lines_of(square);
    Bitboard(diagonal.attacked(occupied) | anti_diagonal.attacked(occupied))
}

/// The lines of a square without regard to other men, and without the square itself.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    /// Its rank and its file.
    pub(super) straight: Bitboard,
    /// Both its diagonals.
    pub(super) diagonal: Bitboard,
}

static CROSSINGS: [Crossing; 64] = crossings();

const fn crossings() -> [Crossing; 64] {
    let mut crossings = [Crossing { straight: Bitboard::EMPTY, diagonal: Bitboard::EMPTY }; 64];
    let mut square = 0;
    while square < 64 {
        let [rank, file, diagonal, anti_diagonal] = LINES_OF[square];
        crossings[square] = Crossing {
            straight: Bitboard(rank.all() | file.all()),
            diagonal: Bitboard(diagonal.all() | anti_diagonal.all()),
        };
        square += 1;
    }
    crossings
}

/// The lines of a square.
#[inline]
pub(super) fn crossing(square: Square) -> &'static Crossing {
    &CROSSINGS[square.to_usize()]
}

/// Both whole diagonals of a square, without it: a1-h8 direction and h1-a8 direction.
#[inline]
pub(super) fn diagonals(square: Square) -> [Bitboard; 2] {
    let [_, _, diagonal, anti_diagonal] = lines_of(square);
    [Bitboard(diagonal.all()), Bitboard(anti_diagonal.all())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::attacks;

    use super::*;

    proptest! {
        #[test]
        fn lines_agree_with_the_magic_tables(occupied: u64, mask: u64, square in 0u32..64) {
            let square = Square::new(square);
            for occupied in [Bitboard(occupied), Bitboard(occupied & mask), Bitboard::EMPTY] {
                prop_assert_eq!(rook_attacks(square, occupied), attacks::rook_attacks(square, occupied));
                prop_assert_eq!(bishop_attacks(square, occupied), attacks::bishop_attacks(square, occupied));
            }
            let [one, other] = diagonals(square);
            prop_assert_eq!(crossing(square).straight, attacks::rook_attacks(square, Bitboard::EMPTY));
            prop_assert_eq!(crossing(square).diagonal, attacks::bishop_attacks(square, Bitboard::EMPTY));
            prop_assert_eq!(one | other, crossing(square).diagonal);
        }
    }
}
