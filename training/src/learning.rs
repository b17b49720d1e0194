//! The passes over the games.

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::{
    games::Game,
    pass::Worker,
    random::Random,
    weights::{Adam, Weights},
};

/// How the weights are trained.
pub struct Schedule {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of passes.
    pub passes: usize,
    /// The initial learning rate of the network.
    pub rate: f32,
    /// The number of threads.
    pub threads: usize,
}

/// Games per update of the network.
const BATCH: usize = 32;
/// Updates until the full rate is reached.
const WARMING_UP: f32 = 100.0;
/// The learning rate of the tables, and the part of a pass for which it is constant before it decreases.
const TABLE_RATE: f32 = 0.15;
const STEADY: f32 = 0.3;

/// Learning rates at the start and the end of a pass.
#[derive(Clone, Copy)]
struct Rates {
    first: f32,
    last: f32,
}

impl Schedule {
    /// Trains on games.
    pub fn learn(&self, mut games: Vec<&Game>) -> Weights {
        let mut random = Random::new(self.seed);
        let mut weights = Weights::new(&mut random);
        let mut workers: Vec<Worker> = (0..self.threads).map(|_| Worker::new(&weights)).collect();
        for pass in 0..self.passes {
            if pass > 0 {
                weights.tables.begin_pass();
            }
            random.shuffle(&mut games);
            self.pass(pass, &games, &mut weights, &mut workers);
        }
        weights
    }

    /// The first of several passes ends at two fifths of the initial rate; the others start at half of it.
    fn rates(&self, pass: usize) -> Rates {
        let factors = match pass {
            0 if self.passes == 1 => [1.0, 0.02],
            0 => [1.0, 0.4],
            _ => [0.5, 0.01],
        };
        let [first, last] = factors.map(|factor| factor * self.rate);
        Rates { first, last }
    }

    fn pass(&self, pass: usize, games: &[&Game], weights: &mut Weights, workers: &mut [Worker]) {
        let Rates { first, last } = self.rates(pass);
        let steps = games.len().div_ceil(BATCH);
        let bar = ProgressBar::new(games.len() as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} games, {msg}, {eta} left")
        {
            bar.set_style(style);
        }
        bar.set_prefix(format!("pass {} of {}", pass + 1, self.passes));
        let (mut bits, mut plies) = (0.0, 0);
        for (step, batch) in games.chunks(BATCH).enumerate() {
            let progress = step as f32 / steps as f32;
            let warm = ((step + 1) as f32 / WARMING_UP).min(1.0);
            let falling = ((progress - STEADY) / (1.0 - STEADY)).max(0.0);
            bits += learn(workers, weights, batch, TABLE_RATE * warm * (1.0 - 0.95 * falling));
            let batch_plies: usize = batch.iter().map(|game| game.steps.len()).sum();
            plies += batch_plies;
            let adam = Adam {
                rate: (first + (last - first) * progress) * warm,
                scale: 1.0 / batch_plies as f32,
                step: step as u64 + 1,
            };
            update(workers, weights, adam);
            bar.inc(batch.len() as u64);
            if step % 100 == 99 {
                bar.set_message(format!("{:.3} bits per ply", bits / plies as f64));
                (bits, plies) = (0.0, 0);
            }
        }
        bar.finish();
    }
}

/// Trains on a batch. Returns the sum of the bits of its plies.
fn learn(workers: &mut [Worker], weights: &Weights, batch: &[&Game], table_rate: f32) -> f64 {
    let share = batch.len().div_ceil(workers.len());
    let of_worker = |(worker, games): (&mut Worker, &[&Game])| {
        games.iter().map(|game| worker.play(weights, game, Some(table_rate))).sum::<f64>()
    };
    workers.par_iter_mut().zip(batch.par_chunks(share)).map(of_worker).sum()
}

/// Updates the network by the gradients of all workers.
fn update(workers: &mut [Worker], weights: &mut Weights, adam: Adam) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    for other in others {
        for (sum, gradient) in first.gradients.iter_mut().zip(&mut other.gradients) {
            sum.take(gradient);
        }
    }
    let matrices = weights.matrices.par_iter_mut().zip(&mut first.gradients);
    matrices.for_each(|(matrix, gradient)| adam.update(matrix, gradient));
}
