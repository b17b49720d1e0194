//! The obvious twin of standard chess.

use plybook::{
    chess::{Chess, Move, SortedMoves},
    rules::{Color, EvenWeights, Outcome, Rules},
};

/// Standard chess that generates and sorts its legal moves at every ply.
#[derive(Clone, PartialEq)]
pub struct Sorted(pub Chess);

impl Rules for Sorted {
    type Move = Move;
    type Legal = SortedMoves;
    type Weigher = EvenWeights;

    fn legal(&self) -> SortedMoves {
        SortedMoves::new(&self.0)
    }

    fn make(&mut self, m: Move) {
        self.0.make(m);
    }

    fn turn(&self) -> Color {
        Rules::turn(&self.0)
    }

    fn board_outcome(&self) -> Outcome {
        self.0.board_outcome()
    }
}
