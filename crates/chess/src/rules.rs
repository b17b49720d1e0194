//! What a codec asks of a game: how many legal moves there are, the index of a move among them, and the
//! n-th of them. Chess, its variants and Xelto answer; the codecs are written once, over these traits.

pub use shakmaty::{Color, KnownOutcome, Outcome};

use crate::bits::mixed_radix::MixedRadix;

/// A position of a two-player game with a canonical order of its legal moves.
///
/// In a game whose sides are not called White and Black, [`Color::White`] is the side that moves first in
/// the usual start position.
pub trait Rules: Clone {
    /// A legal move. Playing a move that is not legal in the position is a bug of the caller.
    type Move: Copy + PartialEq + std::fmt::Debug;
    /// The legal moves of one position.
    type Legal: LegalMoves<Move = Self::Move>;

    /// The legal moves, generated once. None (a count of 0) means that the board has ended the game.
    fn legal(&self) -> Self::Legal;

    /// The same as [`LegalMoves::take`], for positions that find the move faster by themselves.
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Self::Move> {
        self.legal().take(number, others)
    }

    /// Plays a legal move.
    fn make(&mut self, m: Self::Move);

    /// The side to move.
    fn turn(&self) -> Color;

    /// What the board says of a position without legal moves: who has won, or a draw.
    fn board_outcome(&self) -> Outcome;

    /// Whether both positions have the same legal continuations, apart from clocks and move numbers.
    fn same_position(&self, other: &Self) -> bool;
}

/// Where a move stands among the legal moves of its position, in their canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveIndex {
    /// The 0-based index, below the count.
    pub index: u32,
    /// The number of legal moves.
    pub count: u32,
}

/// A digit taken from a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken<M> {
    /// The number of legal moves.
    pub count: u32,
    /// The digit.
    pub digit: u32,
    /// The move that it means, if it means one.
    pub m: Option<M>,
}

/// What a codec asks of the position after the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalPosition {
    /// The number of legal moves; 0 if the board has ended the game.
    pub count: u32,
    /// The side to move.
    pub turn: Color,
}

impl FinalPosition {
    /// What a codec asks of this position.
    pub fn of<P: Rules>(position: &P) -> FinalPosition {
        FinalPosition { count: position.legal().count(), turn: position.turn() }
    }
}

/// The legal moves of one position, in canonical order, without a list of them.
pub trait LegalMoves {
    /// The moves that are counted.
    type Move;

    /// The number of legal moves.
    fn count(&self) -> u32;

    /// The 0-based place of a legal move in the canonical order; `None` if the move is not legal.
    fn index_of(&self, m: Self::Move) -> Option<u32>;

    /// The move at a 0-based place of the canonical order; `None` from [`count`](Self::count) on.
    fn nth(&self, index: u32) -> Option<Self::Move>;

    /// Takes the next digit from a number, and finds the move with that index. The digit's base is the number of moves
    /// and of `others`, digits that mean no move.
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Self::Move> {
        let count = self.count();
        let digit = number.take_digit(count + others);
        Taken { count, digit, m: self.nth(digit) }
    }
}
