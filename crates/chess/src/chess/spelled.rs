//! Games whose moves are written in SAN during replay.

use shakmaty::{Color, Move, Outcome, san::SanPlus};

use super::SanSuffix;
use crate::{
    bits::mixed_radix::MixedRadix,
    rules::{Rules, Taken},
};

/// A position, and the SAN of the move that led to it. SAN depends on the position before the move and the one after
/// it, so the code that plays the moves can produce it without keeping both.
#[derive(Clone, Debug)]
pub struct Spelled<P> {
    position: P,
    san: Option<SanPlus>,
}

impl<P> From<P> for Spelled<P> {
    /// A position before any move.
    fn from(position: P) -> Spelled<P> {
        Spelled { position, san: None }
    }
}

impl<P> Spelled<P> {
    /// The SAN of the move that led to the position.
    pub fn san(&self) -> Option<SanPlus> {
        self.san
    }
}

impl<P: Rules<Move = Move> + SanSuffix> Rules for Spelled<P> {
    type Move = Move;
    type Legal = P::Legal;

    fn legal(&self) -> P::Legal {
        self.position.legal()
    }

    #[inline]
    fn take(&self, number: &mut MixedRadix, others: u32) -> Taken<Move> {
        self.position.take(number, others)
    }

    #[inline]
    fn make(&mut self, m: Move) {
        self.san = Some(self.position.play_san(m));
    }

    fn turn(&self) -> Color {
        Rules::turn(&self.position)
    }

    fn board_outcome(&self) -> Outcome {
        self.position.board_outcome()
    }

    fn same_position(&self, other: &Spelled<P>) -> bool {
        self.position.same_position(&other.position)
    }
}
