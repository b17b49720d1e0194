//! How surprising each move of a game is.

use super::{GameError, StoredGame};
use plybook_chess::{
    chess::{Move, VariantPosition},
    codec::DecodeError,
    rules::{DamagedModel, LegalMoves, Rules, Weigher},
};

/// Measures the moves of a game, one after the other: their bits are the binary logarithm of 1 / p, where p is the
/// probability of the move according to the model of the codec `model`.
pub(crate) struct MoveMeter<P: Rules> {
    weigher: P::Weigher,
    weights: Vec<u32>,
}

impl<P: Rules> MoveMeter<P> {
    pub(crate) fn new(start: &P) -> Result<MoveMeter<P>, DamagedModel> {
        Ok(MoveMeter { weigher: P::Weigher::new(start)?, weights: Vec::new() })
    }

    /// The bits of the next move of the game, which is played in a position.
    pub(crate) fn measure(&mut self, position: &P, m: P::Move) -> f64 {
        let legal = self.weigher.weigh(position, &mut self.weights);
        let weight = legal.index_of(m).and_then(|index| self.weights.get(index as usize)).copied();
        let all: u32 = self.weights.iter().sum();
        self.pass(position, m);
        (f64::from(all) / f64::from(weight.unwrap_or(all))).log2()
    }

    /// The next move of the game, which is not measured.
    pub(crate) fn pass(&mut self, position: &P, m: P::Move) {
        self.weigher.play(m, Rules::turn(position));
    }
}

impl StoredGame {
    /// The bits of each move of a game of chess: the binary logarithm of 1 / p, where p is the probability of the move
    /// according to the model of the codec `model`. In variants without a model all moves are equally likely.
    ///
    /// # Errors
    /// The stored game is damaged, or is not chess.
    pub fn move_bits(&self) -> Result<Vec<f64>, GameError> {
        let start = self.start()?;
        let model = |damaged: DamagedModel| GameError::Moves(self.id, DecodeError::from(damaged));
        let mut meter = MoveMeter::<VariantPosition>::new(&start).map_err(model)?;
        let mut bits = Vec::with_capacity(self.plies.min(1024));
        self.play(start, |position, m: Move| {
            bits.push(meter.measure(position, m));
            position.make(m);
        })?;
        Ok(bits)
    }
}
