//! The end of games: its odds by logistic regression, and the results by counting.

use plybook::{
    chess::{Chess, Position},
    model::{EndFeatures, Observer, shape},
    rules::{LegalMoves, Rules},
};
use rayon::prelude::*;

use crate::games::Game;

/// The weights for the end of games.
pub struct Ends {
    /// What each feature adds to the natural logarithm of the odds.
    log_odds: Vec<f64>,
    /// The number of games with each result in each situation, plus 1.
    results: Vec<[f64; shape::RESULTS]>,
}

/// The bits of the end of a game.
#[derive(Clone, Copy, Default)]
pub struct EndBits {
    /// For ending after the last move and not before.
    pub end: f64,
    /// For the result.
    pub result: f64,
}

/// The initial learning rate; it decreases to a tenth.
const RATE: f64 = 0.3;

/// The initial logarithm of the odds: games have some 80 plies.
const USUAL: f64 = -4.4;

impl Ends {
    /// Trains on games, in one pass.
    pub fn learn(games: &[&Game]) -> Ends {
        let [weights, situations] = shape::END;
        let mut ends =
            Ends { log_odds: vec![0.0; weights], results: vec![[1.0; shape::RESULTS]; situations] };
        ends.log_odds[0] = USUAL;
        let mut squares = vec![1.0; weights];
        let mut seen = 0;
        // The features are extracted on all cores, and used in the order of the games.
        for batch in games.chunks(4096) {
            let observed: Vec<Vec<EndFeatures>> = batch.par_iter().map(|game| observe(game)).collect();
            for (game, features) in batch.iter().zip(observed) {
                let rate = RATE * (1.0 - 0.9 * f64::from(seen) / games.len() as f64);
                seen += 1;
                for (ply, features) in features.iter().enumerate() {
                    let is_end = ply == game.steps.len();
                    let gradient = probability(ends.log_odds_of(features)) - f64::from(u8::from(is_end));
                    for &feature in &features.weights {
                        let feature = usize::from(feature);
                        squares[feature] += gradient * gradient;
                        ends.log_odds[feature] -= rate * gradient / f64::sqrt(squares[feature]);
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
            let end = probability(self.log_odds_of(features));
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

    fn log_odds_of(&self, features: &EndFeatures) -> f64 {
        features.weights.iter().map(|&feature| self.log_odds[usize::from(feature)]).sum()
    }

    /// The bytes in the file of a model: binary logarithms in 1/1024, then weights of results.
    pub fn bytes(&self) -> Vec<u8> {
        let binary = |log_odds: &f64| (log_odds / std::f64::consts::LN_2 * 1024.0).round() as i16;
        let log_odds = self.log_odds.iter().flat_map(|value| binary(value).to_le_bytes());
        let results = self.results.iter().flat_map(|results| {
            let total: f64 = results.iter().sum();
            results.map(move |count| (count / total * 65535.0).round().max(1.0) as u16)
        });
        log_odds.chain(results.flat_map(u16::to_le_bytes)).collect()
    }
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
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
