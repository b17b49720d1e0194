//! The pawns of both sides, and which moves they can make.

use plybook_chess::chess::{Bitboard, Board, Color, Role};

/// The squares of the pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    /// White's, one bit per square: a1, b1 … h8.
    pub white: u64,
    /// Black's.
    pub black: u64,
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_2: u64 = 0xff00;
const RANK_5: u64 = 0xff << 32;
const RANK_7: u64 = 0xff << 48;

/// A kind of pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PawnMove {
    /// One square forward.
    One,
    /// Two squares forward.
    Two,
    /// A promotion without a capture.
    Promotes,
    /// Captures a pawn.
    TakesPawn,
    /// Captures a pawn en passant.
    EnPassant,
    /// Captures a piece other than a pawn.
    Takes,
    /// Captures a piece on the last rank, and promotes.
    TakesPromoting,
}

impl PawnMove {
    pub fn is_promotion(self) -> bool {
        matches!(self, PawnMove::Promotes | PawnMove::TakesPromoting)
    }
}

/// The pawns seen from the side that moves: its own move up the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub own: u64,
    pub other: u64,
}

impl Pawns {
    /// The start of every game of standard chess.
    pub const STANDARD: Pawns = Pawns { white: RANK_2, black: RANK_7 };

    /// The pawns on a board.
    pub fn of(board: &Board) -> Pawns {
        let of = |color: Color| u64::from(board.by_piece(Role::Pawn.of(color)));
        Pawns { white: of(Color::White), black: of(Color::Black) }
    }

    /// The pawns of a colour.
    pub fn by_color(self, color: Color) -> Bitboard {
        Bitboard(color.fold_wb(self.white, self.black))
    }

    /// The same with the colours swapped and the board flipped.
    #[must_use]
    pub fn mirrored(self) -> Pawns {
        Pawns { white: self.black.swap_bytes(), black: self.white.swap_bytes() }
    }

    #[inline]
    pub(super) fn seen_by(self, color: Color) -> View {
        View {
            own: color.fold_wb(self.white, self.black.swap_bytes()),
            other: color.fold_wb(self.black, self.white.swap_bytes()),
        }
    }
}

impl View {
    #[inline]
    pub(super) fn pawns(self, color: Color) -> Pawns {
        Pawns {
            white: color.fold_wb(self.own, self.other.swap_bytes()),
            black: color.fold_wb(self.other, self.own.swap_bytes()),
        }
    }

    /// The squares that a pawn can reach with a kind of move, considering only pawns.
    #[inline]
    pub(super) fn targets(self, m: PawnMove) -> u64 {
        match m {
            PawnMove::TakesPawn => self.other,
            PawnMove::EnPassant => self.other << 8 & !(self.own | self.other),
            _ => !(self.own | self.other),
        }
    }

    /// The pawns that can make a kind of move, considering only pawns.
    #[inline]
    pub(super) fn movable(self, m: PawnMove) -> u64 {
        let all = self.own | self.other;
        let free = self.own & !(all >> 8);
        let targets = self.targets(m);
        let takers = self.own & ((targets & !FILE_A) >> 9 | (targets & !FILE_H) >> 7);
        match m {
            PawnMove::One => free & !RANK_7,
            PawnMove::Two => free & RANK_2 & !(all >> 16),
            PawnMove::Promotes => free & RANK_7,
            PawnMove::EnPassant => takers & RANK_5,
            PawnMove::TakesPawn | PawnMove::Takes => takers & !RANK_7,
            PawnMove::TakesPromoting => takers & RANK_7,
        }
    }

    /// The squares on which a pawn can capture, considering only pawns.
    #[inline]
    pub(super) fn captures(self, from: u32, m: PawnMove) -> u64 {
        let pawn = 1u64 << from;
        ((pawn & !FILE_A) << 7 | (pawn & !FILE_H) << 9) & self.targets(m)
    }

    /// The same after a move.
    #[inline]
    pub(super) fn after(self, m: PawnMove, from: u32, to: u32) -> View {
        let (from, to) = (1u64 << from, 1u64 << to);
        let own = self.own & !from | if m.is_promotion() { 0 } else { to };
        let taken = match m {
            PawnMove::TakesPawn => to,
            PawnMove::EnPassant => to >> 8,
            _ => 0,
        };
        View { own, other: self.other & !taken }
    }
}

/// The files of some squares, one bit per file.
#[inline]
pub(super) fn files(mut squares: u64) -> u8 {
    squares |= squares >> 32;
    squares |= squares >> 16;
    squares |= squares >> 8;
    squares as u8
}

/// The squares on a file.
#[inline]
pub(super) fn on_file(squares: u64, file: u32) -> u64 {
    squares & FILE_A << file
}
