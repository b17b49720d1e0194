//! The canonical order of legal moves. It is a file format: stored games are indices into it, so it does not depend on
//! a library's move generator and never changes (a golden test checks it).
//!
//! # The order, version 1
//!
//! The legal moves are sorted by (from, to). The side to move sees the board from its own corner: White numbers
//! squares a1 = 0 … h8 = 63, Black h8 = 0 … a1 = 63, that is 63 minus the square.
//! * Castling is the king's move to its destination (e1 to g1), also in Chess960. If a plain king move has the same
//!   from and to squares, castling comes after it.
//! * Promotions on one square come in the order knight, bishop, rook, queen, king (a king only in antichess).
//! * Drops (crazyhouse) come after every board move: by role pawn, knight, bishop, rook, queen, then square.
//!
//! Source: the numbering of squares and moves in "attempt 2" of the first source text; it leaves castling, promotions
//! and drops open, which are specified here.
//!
//! # Two implementations
//!
//! [`SortedMoves`] generates, sorts and looks up. It supports every variant and is the simple reference for
//! [`MoveSets`], which counts in bit sets and supports standard chess and Chess960.

use shakmaty::{CastlingSide, Color, Move, MoveList, Position, Role, Square};

use super::counting::MoveSets;
use crate::rules::LegalMoves;

/// The sort key of a move: drops last, then from, to, and what distinguishes moves with the same squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveKey(u32);

impl MoveKey {
    /// The key of a move by the given side.
    pub fn new(turn: Color, m: Move) -> MoveKey {
        let (drop, from, to, extra) = match m {
            Move::Normal { from, to, promotion, .. } => {
                (0, own_view(turn, from), to, promotion_order(promotion))
            }
            Move::EnPassant { from, to } => (0, own_view(turn, from), to, 0),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                (0, own_view(turn, king), side.king_to(turn), 1)
            }
            Move::Put { role, to } => (1, u32::from(role), to, 0),
        };
        MoveKey(drop << 24 | from << 16 | own_view(turn, to) << 8 | extra)
    }
}

/// A square's number as the side to move counts it.
fn own_view(turn: Color, square: Square) -> u32 {
    turn.fold_wb(square, square.rotate_180()).to_u32()
}

/// Knight, bishop, rook, queen, king; a plain move never shares its squares with a promotion.
fn promotion_order(promotion: Option<Role>) -> u32 {
    promotion.map_or(0, u32::from)
}

/// The legal moves as a sorted list; works for every variant.
#[derive(Clone, Debug)]
// Kept although it is slow: it is the definition of the order in a few lines, so the tests compare the fast sets with
// it, and it covers the variants, whose rules do not fit the sets and whose games are rare.
pub struct SortedMoves {
    turn: Color,
    moves: MoveList,
}

impl SortedMoves {
    /// Generates and sorts the legal moves of any position.
    pub fn new<P: Position>(position: &P) -> SortedMoves {
        let turn = position.turn();
        let mut moves = position.legal_moves();
        moves.sort_unstable_by_key(|&m| MoveKey::new(turn, m));
        SortedMoves { turn, moves }
    }

    /// The moves, in canonical order.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves
    }
}

impl LegalMoves for SortedMoves {
    type Move = Move;

    fn count(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap_or(u32::MAX)
    }

    fn index_of(&self, m: Move) -> Option<u32> {
        let key = MoveKey::new(self.turn, m);
        // A binary search finds a key, not a move: different moves never share a key if both are legal, but the
        // argument may be illegal.
        let index = self.moves.binary_search_by_key(&key, |&other| MoveKey::new(self.turn, other)).ok()?;
        (self.moves.get(index) == Some(&m)).then_some(u32::try_from(index).ok()?)
    }

    fn nth(&self, index: u32) -> Option<Move> {
        self.moves.get(usize::try_from(index).ok()?).copied()
    }
}

/// The legal moves of a position of any variant: counted where possible, otherwise sorted.
// A position's moves live on the stack for one ply; boxing the large variant would cost an allocation per ply.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum VariantMoves {
    /// Standard chess and Chess960.
    Sets(MoveSets),
    /// All other variants.
    Sorted(SortedMoves),
}

impl LegalMoves for VariantMoves {
    type Move = Move;

    fn count(&self) -> u32 {
        match self {
            VariantMoves::Sets(moves) => moves.count(),
            VariantMoves::Sorted(moves) => moves.count(),
        }
    }

    fn index_of(&self, m: Move) -> Option<u32> {
        match self {
            VariantMoves::Sets(moves) => moves.index_of(m),
            VariantMoves::Sorted(moves) => moves.index_of(m),
        }
    }

    fn nth(&self, index: u32) -> Option<Move> {
        match self {
            VariantMoves::Sets(moves) => moves.nth(index),
            VariantMoves::Sorted(moves) => moves.nth(index),
        }
    }
}
