//! Numbers for each square, computed from sets of squares for all 64 squares together.

use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdFrom, u8x32, u32x8};

use super::{
    squares::{PAWN, adjacent},
    view::{CLASS, View},
};

/// A number for each square.
type PerSquare = [u8; 64];

/// Facts about each square.
pub(super) struct Squares {
    /// The class of the least valuable enemy piece that attacks it; 0 if there is none.
    pub attacker: PerSquare,
    /// The number of pieces of each side that attack it, at most three.
    pub own_attacks: PerSquare,
    pub enemy_attacks: PerSquare,
    /// Whether there are own pawns (2) and enemy pawns (1) on each file.
    pub files: [u8; 8],
    /// Whether enemy pawns can ever attack it (4), own pawns defend it (2), and there are pawns ahead of it on its file (1).
    pub outpost: PerSquare,
}

impl Squares {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, view: &View) -> Squares {
        let (own, enemy) = (&view.own, &view.enemy);
        let [own_pawns, enemy_pawns] = [own.pieces[PAWN], enemy.pieces[PAWN]];
        // An attack by class c is in the sets from c to 5, so their number is 6 - c for the least valuable attacker.
        let classes =
            count(simd, [enemy.up_to[1], enemy.up_to[2], enemy.up_to[3], enemy.up_to[4], enemy.up_to[5]]);
        let attackable = south_fill(adjacent(enemy_pawns) >> 8);
        let pawns_ahead = south_fill((own_pawns | enemy_pawns) >> 8);
        Squares {
            attacker: classes.map(|sets| if sets == 0 { 0 } else { 6 - sets }),
            own_attacks: count(simd, [own.attacked[0], own.attacked[1], own.attacked[2]]),
            enemy_attacks: count(simd, [enemy.attacked[0], enemy.attacked[1], enemy.attacked[2]]),
            files: files([enemy_pawns, own_pawns]),
            outpost: weigh(simd, [pawns_ahead, own.up_to[CLASS[PAWN]], attackable]),
        }
    }
}

/// The squares of a set and all below them.
#[inline(always)]
fn south_fill(set: u64) -> u64 {
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

/// 1 and 2 for the files of the first and the second set.
#[inline(always)]
fn files(sets: [u64; 2]) -> [u8; 8] {
    let [first, second] = sets.map(|set| south_fill(set) as u8);
    std::array::from_fn(|file| (first >> file & 1) + 2 * (second >> file & 1))
}

/// How many of the sets each square is in.
#[inline(always)]
fn count<S: Simd, const SETS: usize>(simd: S, sets: [u64; SETS]) -> PerSquare {
    combine(simd, sets.map(|set| (set, 1)))
}

/// The sum of 1 for the first set, 2 for the next, and so on.
#[inline(always)]
fn weigh<S: Simd, const SETS: usize>(simd: S, sets: [u64; SETS]) -> PerSquare {
    combine::<S, SETS>(simd, std::array::from_fn(|number| (sets[number], 1 << number)))
}

/// The sum of the weights of the sets that each square is in.
#[inline(always)]
fn combine<S: Simd, const SETS: usize>(simd: S, sets: [(u64, u8); SETS]) -> PerSquare {
    /// The byte of a half of a set that has each square, and the square's bit in it.
    const BYTES: [u8; 32] = repeated([0, 1, 2, 3]);
    const BITS: [u8; 32] = [
        1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8,
        16, 32, 64, 128,
    ];
    let (bytes, bits) = (u8x32::simd_from(simd, BYTES), u8x32::simd_from(simd, BITS));
    let mut squares = [0; 64];
    for (half, squares) in squares.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let mut sum = u8x32::splat(simd, 0);
        for (set, weight) in sets {
            // In the same order on big-endian machines.
            let half = u32x8::splat(simd, ((set >> (32 * half)) as u32).to_le());
            let half: u8x32<S> = half.bitcast();
            let has = (simd.swizzle_dyn_within_blocks_u8x32(half, bytes) & bits).simd_eq(bits);
            sum += has.select(u8x32::splat(simd, weight), u8x32::splat(simd, 0));
        }
        *squares = sum.into();
    }
    squares
}

const fn repeated(four: [u8; 4]) -> [u8; 32] {
    let (mut all, mut i) = ([0; 32], 0);
    while i < 32 {
        all[i] = four[i / 8];
        i += 1;
    }
    all
}
