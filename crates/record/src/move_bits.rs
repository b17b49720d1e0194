//! How surprising each move of a game is.

use super::{GameError, StoredGame};
use plybook_chess::{
    chess::{Move, VariantPosition},
    codec::DecodeError,
    rules::{DamagedModel, LegalMoves, Rules, Weigher},
};

impl StoredGame {
    /// The bits of each move of a game of chess: the binary logarithm of 1 / p, where p is the probability of the move
    /// according to the model of the codec `model`. In variants without a model all moves are equally likely.
    ///
    /// # Errors
    /// The stored game is damaged, or is not chess.
    pub fn move_bits(&self) -> Result<Vec<f64>, GameError> {
        let start = self.start()?;
        let model = |damaged: DamagedModel| GameError::Moves(self.id, DecodeError::from(damaged));
        let mut weigher = <VariantPosition as Rules>::Weigher::new(&start).map_err(model)?;
        let (mut weights, mut bits) = (Vec::new(), Vec::with_capacity(self.plies.min(1024)));
        self.play(start, |position, m: Move| {
            let legal = weigher.weigh(position, &mut weights);
            let weight = legal.index_of(m).and_then(|index| weights.get(index as usize)).copied();
            let all: u32 = weights.iter().sum();
            bits.push((f64::from(all) / f64::from(weight.unwrap_or(all))).log2());
            weigher.play(m, Rules::turn(position));
            position.make(m);
        })?;
        Ok(bits)
    }
}
