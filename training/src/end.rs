//! The end of games: a chance learned by logistic regression, and the results by counting.

use plybook::{
    chess::{Chess, Position},
    model::{EndFeatures, Observer, shape},
    rules::{LegalMoves, Rules},
};
use rayon::prelude::*;

use crate::games::Game;

/// What is learned of the end of games.
pub struct Ends {
    /// What each feature adds to the chance, as a natural logarithm of odds.
    chances: Vec<f64>,
    /// How often each result came in each situation.
    results: Vec<[f64; shape::RESULTS]>,
}

/// The bits that the ends of games take.
#[derive(Clone, Copy, Default)]
pub struct EndBits {
    /// That a game ended where it did, and not before.
    pub end: f64,
    /// Its result.
    pub result: f64,
}

/// The rate at the start; it goes down to a tenth.
const RATE: f64 = 0.3;

/// The logarithm of the odds that a game of eighty plies ends at a given one.
const USUAL: f64 = -4.4;

impl Ends {
    /// Learns from games, once.
    pub fn learn(games: &[&Game]) -> Ends {
        let [weights, situations] = shape::END;
        let mut ends = Ends { chances: vec![0.0; weights], results: vec![[1.0; shape::RESULTS]; situations] };
        ends.chances[0] = USUAL;
        let mut squares = vec![1.0; weights];
        let mut seen = 0;
        // Features are found on all cores, and learned from in the order of the games.
        for batch in games.chunks(4096) {
            let observed: Vec<Vec<EndFeatures>> = batch.par_iter().map(|game| observe(game)).collect();
            for (game, features) in batch.iter().zip(observed) {
                let rate = RATE * (1.0 - 0.9 * f64::from(seen) / games.len() as f64);
                seen += 1;
                for (ply, features) in features.iter().enumerate() {
                    let is_end = ply == game.steps.len();
                    let gradient = chance(ends.odds(features)) - f64::from(u8::from(is_end));
                    for &feature in &features.weights {
                        let feature = usize::from(feature);
                        squares[feature] += gradient * gradient;
                        ends.chances[feature] -= rate * gradient / f64::sqrt(squares[feature]);
                    }
                    if is_end {
                        ends.results[usize::from(features.result)][game.result] += 1.0;
                    }
                }
            }
        }
        ends
    }

    /// The bits of the end of a game.
    pub fn bits(&self, game: &Game) -> EndBits {
        let mut bits = EndBits::default();
        for (ply, features) in observe(game).iter().enumerate() {
            let end = chance(self.odds(features));
            if ply == game.steps.len() {
                let results = self.results[usize::from(features.result)];
                bits.end -= end.log2();
                bits.result -= (results[game.result] / results.iter().sum::<f64>()).log2();
            } else {
                bits.end -= (1.0 - end).log2();
            }
        }
        bits
    }

    fn odds(&self, features: &EndFeatures) -> f64 {
        features.weights.iter().map(|&feature| self.chances[usize::from(feature)]).sum()
    }

    /// The bytes in the file of a model: chances in 1/1024 of a bit, then weights of results.
    pub fn bytes(&self) -> Vec<u8> {
        let chance = |chance: &f64| (chance / std::f64::consts::LN_2 * 1024.0).round() as i16;
        let chances = self.chances.iter().flat_map(|value| chance(value).to_le_bytes());
        let results = self.results.iter().flat_map(|results| {
            let total: f64 = results.iter().sum();
            results.map(move |count| (count / total * 65535.0).round().max(1.0) as u16)
        });
        chances.chain(results.flat_map(u16::to_le_bytes)).collect()
    }
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The features of each position of a game that has legal moves.
fn observe(game: &Game) -> Vec<EndFeatures> {
    let mut position = Chess::default();
    let mut observer = Observer::new(&position);
    let mut all = Vec::with_capacity(game.steps.len() + 1);
    for &step in &game.steps {
        let legal = position.legal();
        all.extend(observer.observe_end(&position, &legal));
        let Some(m) = legal.nth(u32::from(step)) else { return all };
        observer.play(m, Position::turn(&position));
        position.play_unchecked(m);
    }
    all.extend(observer.observe_end(&position, &position.legal()));
    all
}
