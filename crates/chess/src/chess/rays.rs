//! The squares that sliders and knights reach, in all eight directions simultaneously.
//!
//! A vector has one lane for each line through a square: rank, file, both diagonals. One vector contains the upward
//! rays (to higher squares), another the downward rays. A ray is filled by doubling its length three times and stops
//! at the first piece (the "Kogge-Stone fill" of bitboard programming). Pieces of one colour never reach the same
//! square in the same direction, so the squares of all of them can be counted together.

use fearless_simd::{Simd, SimdBase, SimdFrom, SimdInt, u64x4};
use shakmaty::Bitboard;

/// A set of squares for each line: rank, file, diagonal a1-h8, diagonal h1-a8.
// Magic lookup tables are the usual alternative. They answer one square at a time from large tables (694 KiB in
// shakmaty), which compete with the games for the cache; filling needs no table and handles all sliders of a side
// together.
pub(super) type Lines<S> = u64x4<S>;

/// The distance between adjacent squares of each line.
const STEPS: [u64; 4] = [1, 8, 9, 7];

/// The knight moves to higher squares, one in each lane.
const LEAPS: [u64; 4] = [6, 10, 15, 17];

const fn not_files(files: u64) -> u64 {
    !(files * 0x0101_0101_0101_0101)
}

/// The squares where an upward step may end, excluding wraps around the edge.
const UP: [u64; 4] = [not_files(0x01), !0, not_files(0x01), not_files(0x80)];
const DOWN: [u64; 4] = [not_files(0x80), !0, not_files(0x80), not_files(0x01)];

const LEAPS_UP: [u64; 4] = [not_files(0xc0), not_files(0x03), not_files(0x80), not_files(0x01)];
const LEAPS_DOWN: [u64; 4] = [not_files(0x03), not_files(0xc0), not_files(0x01), not_files(0x80)];

/// Squares reached, by line.
#[derive(Clone, Copy)]
pub(super) struct Rays<S: Simd> {
    pub(super) up: Lines<S>,
    pub(super) down: Lines<S>,
}

/// The same set of squares in every lane.
#[inline(always)]
pub(super) fn every_line<S: Simd>(simd: S, squares: Bitboard) -> Lines<S> {
    Lines::splat(simd, squares.0)
}

/// The lines of rooks and of bishops; queens have both.
#[inline(always)]
pub(super) fn lines<S: Simd>(simd: S, straight: Bitboard, diagonal: Bitboard) -> Lines<S> {
    Lines::simd_from(simd, [straight.0, straight.0, diagonal.0, diagonal.0])
}

impl<S: Simd> Rays<S> {
    /// The squares that sliders reach: empty ones, and the first piece in each direction.
    #[inline(always)]
    pub(super) fn of_sliders(simd: S, sliders: Lines<S>, empty: Lines<S>) -> Rays<S> {
        let lines = |lanes: [u64; 4]| Lines::simd_from(simd, lanes);
        let (steps, inside_up, inside_down) = (lines(STEPS), lines(UP), lines(DOWN));
        let (mut up, mut down, mut step) = (sliders, sliders, steps);
        let (mut open_up, mut open_down) = (empty & inside_up, empty & inside_down);
        // Three doublings cover the longest ray of seven squares. A loop with early exit would be shorter for blocked
        // rays, but its end cannot be predicted.
        for _ in 0..3 {
            up |= open_up & (up << step);
            down |= open_down & (down >> step);
            open_up &= open_up << step;
            open_down &= open_down >> step;
            step += step;
        }
        Rays { up: (up << steps) & inside_up, down: (down >> steps) & inside_down }
    }

    /// The squares that knights reach, with their moves in the lanes of the lines.
    #[inline(always)]
    pub(super) fn of_knights(simd: S, knights: Bitboard) -> Rays<S> {
        let lines = |lanes: [u64; 4]| Lines::simd_from(simd, lanes);
        let (knights, leaps) = (every_line(simd, knights), lines(LEAPS));
        Rays { up: (knights << leaps) & lines(LEAPS_UP), down: (knights >> leaps) & lines(LEAPS_DOWN) }
    }

    /// The squares that are in both.
    #[inline(always)]
    pub(super) fn within(self, squares: Lines<S>) -> Rays<S> {
        Rays { up: self.up & squares, down: self.down & squares }
    }

    #[inline(always)]
    pub(super) fn or(self, other: Rays<S>) -> Rays<S> {
        Rays { up: self.up | other.up, down: self.down | other.down }
    }

    /// The squares reached in any direction.
    #[inline(always)]
    pub(super) fn union(self) -> Bitboard {
        union(self.up | self.down)
    }

    /// The number of squares reached, counting multiplicity, per lane.
    #[inline(always)]
    pub(super) fn count(self) -> Lines<S> {
        self.up.count_ones() + self.down.count_ones()
    }
}

/// The squares that are in the set of any line.
#[inline(always)]
pub(super) fn union<S: Simd>(lines: Lines<S>) -> Bitboard {
    let [rank, file, diagonal, anti_diagonal] = lines.into();
    Bitboard(rank | file | diagonal | anti_diagonal)
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, Simd, dispatch};
    use proptest::prelude::*;
    use shakmaty::{Square, attacks};

    use super::*;

    fn reached<S: Simd>(simd: S, straight: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
        let (sliders, empty) = (lines(simd, straight, diagonal), every_line(simd, !occupied));
        Rays::of_sliders(simd, sliders, empty).union()
    }

    fn all(squares: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
        squares.into_iter().map(attacks).fold(Bitboard::EMPTY, |all, squares| all | squares)
    }

    proptest! {
        #[test]
        fn rays_agree_with_the_magic_tables(one: u64, other: u64, occupied: u64, mask: u64) {
            let none = Bitboard::EMPTY;
            for occupied in [Bitboard(occupied), Bitboard(occupied & mask), none] {
                for pieces in [Bitboard(one), Bitboard(one & other), Bitboard(one & other & mask)] {
                    for level in [Level::new(), Level::baseline()] {
                        let straight = dispatch!(level, simd => reached(simd, pieces, none, occupied));
                        let diagonal = dispatch!(level, simd => reached(simd, none, pieces, occupied));
                        let leaps = dispatch!(level, simd => Rays::of_knights(simd, pieces).union());
                        prop_assert_eq!(straight, all(pieces, |from| attacks::rook_attacks(from, occupied)));
                        prop_assert_eq!(diagonal, all(pieces, |from| attacks::bishop_attacks(from, occupied)));
                        prop_assert_eq!(leaps, all(pieces, attacks::knight_attacks));
                    }
                }
            }
        }
    }
}
