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
    /// A hash of the squares of the pawns.
    pub pawns: u32,
    /// A hash of the squares of bishops and knights and of the numbers of rooks and queens.
    pub minors: u32,
}

/// How much of a position an entry of the index covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// The levels were chosen by measurement: master games have 26.7 pawn structures but 82.1 positions. Pieces change too
// often to help: pawns with piece counts occur 34.0 times per game, with king squares 42.1, with minor pieces 63.7.
// Levels are therefore used only where a coarser one finds too many games.
pub enum Level {
    /// The pawns.
    Pawns,
    /// Pawns, bishops and knights, and the numbers of rooks and queens.
    Minors,
    /// All of it.
    Whole,
}

impl Level {
    /// Every level, the coarsest first.
    pub const ALL: [Level; 3] = [Level::Pawns, Level::Minors, Level::Whole];
}

impl PositionKeys {
    /// The keys of a position with a known whole key.
    #[inline]
    pub fn of(board: &Board, whole: u64) -> PositionKeys {
        let pieces = |color: Color, role: Role| u64::from(board.by_color(color) & board.by_role(role));
        let pawns = mix(pieces(Color::White, Role::Pawn) ^ mix(pieces(Color::Black, Role::Pawn)));
        let count = |color, role| u64::from(pieces(color, role).count_ones());
        let counts = count(Color::White, Role::Queen)
            | count(Color::Black, Role::Queen) << 8
            | count(Color::White, Role::Rook) << 16
            | count(Color::Black, Role::Rook) << 24;
        let minors = pieces(Color::White, Role::Bishop).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ pieces(Color::Black, Role::Bishop).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            ^ pieces(Color::White, Role::Knight).wrapping_mul(0x1656_67b1_9e37_79f9)
            ^ pieces(Color::Black, Role::Knight).wrapping_mul(0x27d4_eb2f_1656_67c5)
            ^ counts.wrapping_mul(0x8525_9b3a_f4c7_1d2b);
        PositionKeys { whole, pawns: (pawns >> 32) as u32, minors: (mix(minors) >> 32) as u32 }
    }

    /// The hash of a level.
    #[inline]
    pub fn hash(&self, level: Level) -> u64 {
        let pawns = u64::from(self.pawns);
        match level {
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
