//! The bits of a game by the weights, and the gradients of the weights.

use plybook::{
    chess::{Chess, Move, Position},
    model::{Observer, PositionFeatures, WIDTH},
};

use crate::{
    games::Game,
    weights::{BIAS, Gradient, INPUTS, MOVES, Weights},
};

/// Gradients smaller than this are ignored, to save time.
const NEGLIGIBLE: f32 = 2e-4;

/// The size of both accumulators.
const BOTH: usize = 2 * WIDTH;

/// The gradients of a thread, and its buffers.
pub struct Worker {
    moves: Vec<Move>,
    features: PositionFeatures,
    scores: Vec<f32>,
    /// The gradients of each matrix.
    pub gradients: Vec<Gradient>,
}

impl Worker {
    /// A worker for these weights.
    pub fn new(weights: &Weights) -> Worker {
        Worker {
            moves: Vec::new(),
            features: PositionFeatures::default(),
            scores: Vec::new(),
            gradients: weights.matrices.iter().map(Gradient::of).collect(),
        }
    }

    /// Plays a game and returns its bits. With a learning rate, trains on each ply: tables are updated immediately, and the
    /// gradients of the network are accumulated.
    pub fn play(&mut self, weights: &Weights, game: &Game, rate: Option<f32>) -> f64 {
        let (mut position, mut bits) = (Chess::default(), 0.0);
        let mut observer = Observer::new(&position);
        for &step in &game.steps {
            observer.observe(&position, &mut self.moves, &mut self.features);
            bits += self.ply(weights, usize::from(step), rate);
            let m = self.moves[usize::from(step)];
            observer.play(m, position.turn());
            position.play_unchecked(m);
        }
        bits
    }

    /// The bits of one ply.
    fn ply(&mut self, weights: &Weights, chosen: usize, rate: Option<f32>) -> f64 {
        let accumulators = self.accumulators(weights);
        let activations = accumulators.map(|sum| sum.clamp(0.0, 1.0) * sum.clamp(0.0, 1.0));
        self.score(weights, &activations);
        let best = self.scores.iter().copied().fold(f32::MIN, f32::max);
        let chance = self.scores[chosen] - best;
        self.scores.iter_mut().for_each(|score| *score = (*score - best).exp());
        let total: f32 = self.scores.iter().sum();
        if let Some(rate) = rate {
            self.scores.iter_mut().for_each(|score| *score /= total);
            self.scores[chosen] -= 1.0;
            self.learn(weights, &accumulators, &activations, rate);
        }
        (f64::from(total).ln() - f64::from(chance)) / std::f64::consts::LN_2
    }

    fn accumulators(&self, weights: &Weights) -> [f32; BOTH] {
        let mut accumulators = [0.0; BOTH];
        accumulators.copy_from_slice(weights.matrices[BIAS].row(0));
        let (own, enemy) = accumulators.split_at_mut(WIDTH);
        for (sum, rows) in [(own, &self.features.own_rows), (enemy, &self.features.enemy_rows)] {
            for &row in rows {
                add(sum, weights.matrices[INPUTS].row(usize::from(row)), 1.0);
            }
        }
        accumulators
    }

    fn score(&mut self, weights: &Weights, activations: &[f32; BOTH]) {
        let tables = &weights.tables;
        self.scores.clear();
        self.scores.extend(self.features.moves.iter().map(|m| {
            let weight = |(&start, &index): (&usize, &u32)| {
                if index == u32::MAX { 0.0 } else { tables.weights[start + index as usize].get() }
            };
            let from_tables: f32 = tables.starts.iter().zip(&m.weights).map(weight).sum();
            let rows = weights.matrices[MOVES..].iter().zip(m.rows);
            from_tables
                + rows.map(|(matrix, row)| dot(activations, matrix.row(usize::from(row)))).sum::<f32>()
        }));
    }

    /// Propagates the gradients of the scores.
    fn learn(&mut self, weights: &Weights, accumulators: &[f32; BOTH], activations: &[f32; BOTH], rate: f32) {
        let mut back = [0.0; BOTH];
        for (m, &gradient) in self.features.moves.iter().zip(&self.scores) {
            if gradient.abs() < NEGLIGIBLE {
                continue;
            }
            for ((matrix, gradients), row) in
                weights.matrices[MOVES..].iter().zip(&mut self.gradients[MOVES..]).zip(m.rows)
            {
                add(&mut back[..matrix.columns], matrix.row(usize::from(row)), gradient);
                add(gradients.row(usize::from(row)), &activations[..matrix.columns], gradient);
            }
            for (&start, &index) in weights.tables.starts.iter().zip(&m.weights) {
                if index != u32::MAX {
                    weights.tables.update(start + index as usize, gradient, rate);
                }
            }
        }
        for (back, &sum) in back.iter_mut().zip(accumulators) {
            *back *= if 0.0 < sum && sum < 1.0 { 2.0 * sum } else { 0.0 };
        }
        add(self.gradients[BIAS].row(0), &back, 1.0);
        let (own, enemy) = back.split_at(WIDTH);
        for (back, rows) in [(own, &self.features.own_rows), (enemy, &self.features.enemy_rows)] {
            for &row in rows {
                add(self.gradients[INPUTS].row(usize::from(row)), back, 1.0);
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f32], row: &[f32], factor: f32) {
    for (sum, row) in sum.iter_mut().zip(row) {
        *sum += factor * row;
    }
}

#[inline(always)]
fn dot(activations: &[f32], row: &[f32]) -> f32 {
    // Several accumulators, so that the additions need not wait for each other.
    let mut accumulators = [0.0f32; 32];
    for (activations, row) in activations.as_chunks::<32>().0.iter().zip(row.as_chunks::<32>().0) {
        for i in 0..32 {
            accumulators[i] += activations[i] * row[i];
        }
    }
    accumulators.iter().sum()
}
