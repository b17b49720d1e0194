//! What a codec requires of a game: the number of legal moves, the index of a move among them, and the n-th of them.
//! Chess, its variants and Xelto implement these traits, so each codec is written only once.

pub use shakmaty::{Color, KnownOutcome, Outcome};

use crate::bits::mixed_radix::MixedRadix;

/// A win of White.
pub const WHITE_WINS: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
/// A win of Black.
pub const BLACK_WINS: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::Black });
/// A draw.
pub const DRAW: Outcome = Outcome::Known(KnownOutcome::Draw);

/// A position of a two-player game with a canonical order of its legal moves.
///
/// In a game whose sides are not called White and Black, [`Color::White`] is the side that moves first in the usual
/// start position. Positions are equal if they have the same legal continuations, ignoring clocks and move numbers.
pub trait Rules: Clone + PartialEq {
    /// A legal move. Playing a move that is illegal in the position is a bug in the caller.
    type Move: Copy + PartialEq + std::fmt::Debug;
    /// The legal moves of one position.
    type Legal: LegalMoves<Move = Self::Move>;

    /// The legal moves, generated once. A count of 0 means that the board has ended the game.
    fn legal(&self) -> Self::Legal;

    /// Like [`LegalMoves::take`], for positions that can find the move faster without generating all moves.
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Self::Move> {
        self.legal().take(number, others)
    }

    /// Plays a legal move.
    fn make(&mut self, m: Self::Move);

    /// The side to move.
    fn turn(&self) -> Color;

    /// The outcome of a position without legal moves: which side has won, or a draw.
    fn board_outcome(&self) -> Outcome;
}

/// The index of a move among the legal moves of its position, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveIndex {
    /// The 0-based index, below the count.
    pub index: u32,
    /// The number of legal moves.
    pub count: u32,
}

/// A digit taken from an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken<M> {
    /// The number of legal moves.
    pub count: u32,
    /// The digit.
    pub digit: u32,
    /// The corresponding move, if any.
    pub m: Option<M>,
}

/// What a codec needs to know about the position after the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalPosition {
    /// The number of legal moves; 0 if the board has ended the game.
    pub count: u32,
    /// The side to move.
    pub turn: Color,
}

impl FinalPosition {
    /// The facts for this position.
    pub fn of<P: Rules>(position: &P) -> FinalPosition {
        FinalPosition { count: position.legal().count(), turn: position.turn() }
    }
}

/// The legal moves of one position, in canonical order, without an explicit list.
pub trait LegalMoves {
    /// The type of the moves.
    type Move;

    /// The number of legal moves.
    fn count(&self) -> u32;

    /// The 0-based index of a legal move in canonical order; `None` if the move is not legal.
    fn index_of(&self, m: Self::Move) -> Option<u32>;

    /// The move at a 0-based index in canonical order; `None` if there is no such move.
    fn nth(&self, index: u32) -> Option<Self::Move>;

    /// Takes the next digit from an integer, and finds the move with that index. The radix of the digit is the number
    /// of legal moves plus `others`, the number of digits that do not denote a move.
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Self::Move> {
        let count = self.count();
        let digit = number.take_digit(count + others);
        Taken { count, digit, m: self.nth(digit) }
    }
}
