//! Implements the codecs' rules traits for Xelto.

use super::{Move, Moves, Position};
use plybook_chess::rules::{Color, Outcome, Rules};

impl Rules for Position {
    type Move = Move;
    type Legal = Moves;

    fn legal(&self) -> Moves {
        self.legal_moves()
    }

    fn make(&mut self, m: Move) {
        self.play(m);
    }

    /// Arxe is White.
    fn turn(&self) -> Color {
        self.mover().into()
    }

    /// The winner, once the board has ended the game. Until then there is always a legal move. Suppose there were
    /// none: front guards can turn, so none is on the board. A rear guard of any kind reaches the next row and the
    /// next column on every side, so own pieces occupy all seven rows and columns: that takes all seven rear guards,
    /// no two in one row or column. But then no own piece is next to a colour.
    fn board_outcome(&self) -> Outcome {
        self.ending().map_or(Outcome::Unknown, |ending| ending.outcome())
    }

    fn same_position(&self, other: &Position) -> bool {
        self == other
    }
}
