//! Xelto as the codecs see it.

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

    /// White is arxe.
    fn turn(&self) -> Color {
        self.mover().into()
    }

    /// Who has won, once the board has ended the game. Until then there always is a legal move. For suppose
    /// there were none: front guards can turn, so none is on the board. A rear guard of any kind reaches the
    /// next row and the next column on every side, so that own pieces stand in all seven of each: that takes
    /// all seven rear guards, no two in one row or column. But then no own piece stands next to a colour.
    fn board_outcome(&self) -> Outcome {
        self.ending().map_or(Outcome::Unknown, |ending| ending.outcome())
    }

    fn same_position(&self, other: &Position) -> bool {
        self == other
    }
}
