//! The keys under which positions are found: of the whole position, and of features that change more slowly.
//!
//! # Stability
//! Stored in segments: any change needs a new [`KIND`](super::KIND).

use plybook_chess::{
    bits::mix,
    chess::{Board, Color, Role},
};

/// The keys of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionKeys {
    /// The [`whole_key`](plybook_chess::chess::whole_key).
    pub whole: u64,
    /// A hash of the squares of White's pawns, and of the number and the files of Black's.
    pub white_pawns: u32,
    /// A hash of the squares of all pawns.
    pub pawns: u32,
    /// A hash of the squares of White's bishops and knights, and of the number of Black's.
    pub minors: u32,
}

/// How much of a position an entry of the index covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// The levels were chosen by measurement: master games have 26.7 pawn structures but 82.1 positions. What covers one side
// changes half as often as what covers both: White's pawns with the files of Black's occur 18.5 times per game. A level
// is used only where a coarser one finds too many games. The four of them need 17.4 entries per game; with the pawns,
// the minor pieces of both sides and the position it would be 22.1.
pub enum Level {
    /// White's pawns, and the number and the files of Black's.
    WhitePawns,
    /// The pawns.
    Pawns,
    /// The pawns, White's bishops and knights, and the number of Black's.
    Minors,
    /// All of it.
    Whole,
}

impl Level {
    /// Every level, the coarsest first.
    pub const ALL: [Level; 4] = [Level::WhitePawns, Level::Pawns, Level::Minors, Level::Whole];
}

impl PositionKeys {
    /// The keys of a position with a known whole key.
    #[inline]
    pub fn of(board: &Board, whole: u64) -> PositionKeys {
        let pieces = |color: Color, role: Role| u64::from(board.by_color(color) & board.by_role(role));
        let (white, black) = (pieces(Color::White, Role::Pawn), pieces(Color::Black, Role::Pawn));
        let files = (0..8).fold(0, |files, rank| files | black >> (8 * rank) & 0xff);
        let white_pawns = mix(mix(white) ^ files << 8 ^ u64::from(black.count_ones()));
        let others = (board.black() & (board.knights() | board.bishops())).count() as u64;
        let minors = pieces(Color::White, Role::Bishop).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ pieces(Color::White, Role::Knight).wrapping_mul(0x1656_67b1_9e37_79f9)
            ^ others.wrapping_mul(0x8525_9b3a_f4c7_1d2b);
        let half = |hash: u64| (hash >> 32) as u32;
        PositionKeys {
            whole,
            white_pawns: half(white_pawns),
            pawns: half(mix(white ^ mix(black))),
            minors: half(mix(minors)),
        }
    }

    /// The hash of a level.
    #[inline]
    pub fn hash(&self, level: Level) -> u64 {
        let pawns = u64::from(self.pawns);
        match level {
            Level::WhitePawns => mix(1 << 62 | u64::from(self.white_pawns)),
            Level::Pawns => mix(pawns),
            Level::Minors => mix(1 << 63 | pawns << 31 ^ u64::from(self.minors)),
            Level::Whole => whole_hash(self.whole),
        }
    }
}

/// The hash of a whole position, by its key.
#[inline]
pub(super) fn whole_hash(whole: u64) -> u64 {
    mix(!whole)
}

/// Scales a hash to a number of buckets, preserving the order.
#[inline]
pub(super) fn scale(hash: u64, places: u64) -> u64 {
    (u128::from(hash) * u128::from(places) >> 64) as u64
}
