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
    /// Gives the legal moves their weights: [`EvenWeights`] if there is no model of how people play.
    type Weigher: Weigher<Self>;

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

/// Follows a game, and gives the legal moves of each position weights: the more likely a move is, the larger its weight.
/// The same game always gives the same weights, on every machine.
pub trait Weigher<P: Rules>: Clone + std::fmt::Debug {
    /// Starts with a start position.
    ///
    /// # Errors
    /// The weights of the model cannot be read.
    fn new(start: &P) -> Result<Self, DamagedModel>;

    /// Returns the legal moves of the current position, and replaces `weights` by their weights in canonical order,
    /// followed by the weight of the end of the game. There are no weights if there are no legal moves. Every weight is at
    /// least 1, and their sum at most [`MAX_RADIX`](crate::bits::weighted_radix::MAX_RADIX).
    fn weigh(&mut self, position: &P, weights: &mut Vec<u32>) -> P::Legal;

    /// The weights of the results if the game ends in the position that was weighed last: a loss of the side to move, a
    /// draw, unfinished, a win.
    fn result_weights(&self) -> [u16; RESULTS];

    /// Plays a move of the side to move.
    fn play(&mut self, m: P::Move, turn: Color);
}

/// The number of results that a game can end with.
pub const RESULTS: usize = 4;

/// The weights of a model of how people play are damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model of how people play is damaged")]
pub struct DamagedModel;

/// The same weight for every move and for the end.
#[derive(Clone, Copy, Debug)]
pub struct EvenWeights;

impl<P: Rules> Weigher<P> for EvenWeights {
    fn new(_: &P) -> Result<EvenWeights, DamagedModel> {
        Ok(EvenWeights)
    }

    fn weigh(&mut self, position: &P, weights: &mut Vec<u32>) -> P::Legal {
        let legal = position.legal();
        weights.clear();
        if legal.count() > 0 {
            weights.resize(legal.count() as usize + 1, 1);
        }
        legal
    }

    fn result_weights(&self) -> [u16; RESULTS] {
        [1; RESULTS]
    }

    fn play(&mut self, _: P::Move, _: Color) {}
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
