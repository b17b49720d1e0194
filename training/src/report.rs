//! Measures the model on the games that were held out.

use std::path::PathBuf;

use indicatif::ParallelProgressIterator;
use plybook::model::Model;
use rayon::prelude::*;

use crate::{
    end::{EndBits, Ends},
    games::{Game, Part},
    integers,
    pass::Worker,
    weights::Weights,
};

/// Games of each kind that are timed.
const TIMED: usize = 300;

/// Prints a line for each archive and each kind of held-out games.
pub fn report(
    archives: &[(PathBuf, Vec<Game>)],
    weights: &Weights,
    ends: &Ends,
    model: &Model,
    most: Option<u32>,
) {
    println!("bits per ply, in integers; bits of the end and the result of a game; plies/s on one core");
    for (path, games) in archives {
        for part in Part::MEASURED {
            let of_part: Vec<&Game> = games.iter().filter(|game| game.part == part).collect();
            let step = most.map_or(1, |most| of_part.len().div_ceil(most as usize).max(1));
            let chosen: Vec<&Game> = of_part.into_iter().step_by(step).collect();
            if chosen.is_empty() {
                continue;
            }
            let plies: usize = chosen.iter().map(|game| game.steps.len()).sum();
            let [learned, stored] =
                [bits(weights, &chosen), integers::bits(model, &chosen)].map(|bits| bits / plies as f64);
            let speed = integers::plies_per_second(model, &chosen[..chosen.len().min(TIMED)]);
            let (count, part, path) = (chosen.len(), part.name(), path.display());
            let EndBits { end, result } = mean(ends, &chosen);
            println!(
                "{learned:.4}, {stored:.4}; {end:.2}, {result:.2}; {speed:.0}: {count} games ({part}, {path})"
            );
        }
    }
}

/// The average bits of the end of a game.
fn mean(ends: &Ends, games: &[&Game]) -> EndBits {
    let each: Vec<EndBits> = games.par_iter().progress().map(|game| ends.bits(game)).collect();
    let mean = |part: fn(&EndBits) -> f64| each.iter().map(part).sum::<f64>() / each.len() as f64;
    EndBits { end: mean(|bits| bits.end), result: mean(|bits| bits.result) }
}

fn bits(weights: &Weights, games: &[&Game]) -> f64 {
    let of_game = |worker: &mut Worker, game: &&Game| worker.play(weights, game, None);
    games.par_iter().progress().map_init(|| Worker::new(weights), of_game).sum()
}
