//! Numbers for each square, made from sets of squares for all 64 at a time.

use super::{
    squares::{PAWN, beside},
    view::{CLASS, View},
};

/// A number for each square.
type PerSquare = [u8; 64];

/// Facts about each square.
pub(super) struct Squares {
    /// The class of the cheapest enemy piece that attacks it; 0 if there is none.
    pub attacker: PerSquare,
    /// How often each side attacks it, at most three times.
    pub own_attacks: PerSquare,
    pub enemy_attacks: PerSquare,
    /// Whether there are own pawns (2) and enemy pawns (1) on its file.
    pub files: PerSquare,
    /// Whether enemy pawns can attack it (4), own pawns protect it (2), and pawns are ahead (1).
    pub outpost: PerSquare,
}

impl Squares {
    #[inline(always)]
    pub(super) fn new(view: &View) -> Squares {
        let (own, enemy) = (&view.own, &view.enemy);
        let [own_pawns, enemy_pawns] = [own.pieces[PAWN], enemy.pieces[PAWN]];
        // With the king, who attacks last, a square has as many sets as its cheapest attacker is below a sixth class.
        let classes =
            count([&enemy.up_to[1], &enemy.up_to[2], &enemy.up_to[3], &enemy.up_to[4], &enemy.up_to[5]]);
        let attackable = down(beside(enemy_pawns) >> 8);
        let pawns_ahead = down((own_pawns | enemy_pawns) >> 8);
        Squares {
            attacker: classes.map(|sets| if sets == 0 { 0 } else { 6 - sets }),
            own_attacks: count([&own.attacked[0], &own.attacked[1], &own.attacked[2]]),
            enemy_attacks: count([&enemy.attacked[0], &enemy.attacked[1], &enemy.attacked[2]]),
            files: weigh([&file_fill(enemy_pawns), &file_fill(own_pawns)]),
            outpost: weigh([&pawns_ahead, &own.up_to[CLASS[PAWN]], &attackable]),
        }
    }
}

/// The squares of a set and all below them.
#[inline(always)]
fn down(set: u64) -> u64 {
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

/// The files of a set.
#[inline(always)]
fn file_fill(set: u64) -> u64 {
    let file = down(set) & 0xff;
    file * 0x0101_0101_0101_0101
}

/// How many of the sets each square is in.
#[inline(always)]
fn count<const SETS: usize>(sets: [&u64; SETS]) -> PerSquare {
    combine(sets, |_| 1)
}

/// The sum of 1 for the first set, 2 for the next, and so on.
#[inline(always)]
fn weigh<const SETS: usize>(sets: [&u64; SETS]) -> PerSquare {
    combine(sets, |number| 1 << number)
}

#[inline(always)]
fn combine<const SETS: usize>(sets: [&u64; SETS], weight: impl Fn(usize) -> u8) -> PerSquare {
    let mut sum = [0; 64];
    for (number, set) in sets.into_iter().enumerate() {
        for (rank, squares) in sum.as_chunks_mut::<8>().0.iter_mut().zip(set.to_le_bytes()) {
            for (file, square) in rank.iter_mut().zip([1, 2, 4, 8, 16, 32, 64, 128]) {
                *file += if squares & square != 0 { weight(number) } else { 0 };
            }
        }
    }
    sum
}
