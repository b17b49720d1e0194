//! The weights in integers, as stored in the file of a model, and the bits and the speed of these integers.

use std::time::Instant;

use indicatif::ParallelProgressIterator;
use plybook::{
    chess::{Chess, Position},
    model::{Model, Predictor},
    rules::LegalMoves,
};
use rayon::prelude::*;

use crate::{
    games::Game,
    weights::{BIAS, INPUTS, MOVES, Weights},
};

/// Integers per unit: in accumulators, in rows of moves, in tables.
const SUM: f32 = 255.0;
const ROW: f32 = 64.0;
const TABLE: f32 = 32.0;

/// The uncompressed file of a model.
pub fn bytes_of(weights: &Weights) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in [INPUTS, BIAS] {
        let wide: Vec<[u8; 2]> = weights.matrices[part].weights.iter().map(|weight| wide(*weight)).collect();
        for plane in 0..2 {
            bytes.extend(wide.iter().map(|bytes| bytes[plane]));
        }
    }
    for matrix in &weights.matrices[MOVES..] {
        bytes.extend(matrix.weights.iter().map(|weight| narrow(*weight, ROW)));
    }
    bytes.extend(weights.tables.weights.iter().map(|weight| narrow(weight.get(), TABLE)));
    bytes
}

fn wide(weight: f32) -> [u8; 2] {
    ((weight * SUM).round().clamp(-2047.0, 2047.0) as i16).to_le_bytes()
}

fn narrow(weight: f32, unit: f32) -> u8 {
    ((weight * unit).round().clamp(-127.0, 127.0) as i8).cast_unsigned()
}

/// The bits of the moves of games.
pub fn bits(model: &Model, games: &[&Game]) -> f64 {
    let of_game = |game: &&Game| {
        let mut bits = 0.0;
        play(model, game, |weights, chosen| {
            // The last weight is that of the end of the game.
            let moves = weights.split_last().map_or(weights, |(_, moves)| moves);
            let total: u64 = moves.iter().map(|&weight| u64::from(weight)).sum();
            bits += (total as f64 / f64::from(weights[chosen])).log2();
        });
        bits
    };
    games.par_iter().progress().map(of_game).sum()
}

fn play(model: &Model, game: &Game, mut each: impl FnMut(&[u32], usize)) {
    let (mut position, mut weights) = (Chess::default(), Vec::new());
    let mut predictor = Predictor::new(model, &position);
    for &step in &game.steps {
        let legal = predictor.weigh(&position, &mut weights);
        each(&weights, usize::from(step));
        let Some(m) = legal.nth(u32::from(step)) else { return };
        predictor.play(m, position.turn());
        position.play_unchecked(m);
    }
}

/// Plies per second on one core.
pub fn plies_per_second(model: &Model, games: &[&Game]) -> f64 {
    let begin = Instant::now();
    let (mut plies, mut sum) = (0, 0u64);
    for game in games {
        play(model, game, |weights, chosen| sum += u64::from(weights[chosen]));
        plies += game.steps.len();
    }
    std::hint::black_box(sum);
    plies as f64 / begin.elapsed().as_secs_f64()
}
