//! Trains the model of how people play from the games of archives.

mod end;
mod games;
mod integers;
mod learning;
mod pass;
mod random;
mod report;
mod weights;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use end::Ends;
use games::{Game, Part, Selection};
use learning::Schedule;
use plybook::{codec::zstd_frame::pack_with_checksum, conditions::FilterText, model::Model};
use random::Random;

/// Train plybook's model of how people play, and measure it on games that it has not seen
///
/// Never learned from are every 15th game, the games of 2021 to 2023, and all games of one player in 200; an archive has
/// no exact duplicates.
///
/// Examples:
/// * plybook-training -a otb.db --also lichess.db -o model.zst
/// * plybook-training -a otb.db -o small.zst --games 30000 --passes 1 --measure 1000
/// * plybook-training -a otb.db -o strong.zst --where elo=2400.. --seed 7 --threads 1
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The archive with the games
    #[arg(short, long, value_name = "FILE")]
    archive: PathBuf,
    /// Another archive, from whose games the model learns twice in each pass, whatever their year
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// The file for the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Learn from and measure matching games only: a condition of "plybook games", without its dashes
    #[arg(long = "where", value_name = "NAME=VALUE", value_parser = condition)]
    conditions: Vec<(String, String)>,
    /// Learn from so many games only, chosen at random
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Measure so many games of each kind only
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    measure: usize,
    /// How often each game is learned from
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    passes: u8,
    /// The rate at which the network learns at first
    #[arg(long, default_value_t = 4e-3)]
    rate: f32,
    /// What random numbers start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; only with one thread, the same seed gives the same file
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
}

fn condition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a condition is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Games from whose ends the model learns.
const ENDS: usize = 100_000;

/// The level at which the file is compressed.
const LEVEL: i32 = 19;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let threads = usize::from(arguments.threads);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let conditions = FilterText::of(arguments.conditions.iter().map(|(name, value)| (&**name, &**value)))?;
    let read = |path: &Path, selection| {
        games::read(path, &conditions, selection).with_context(|| path.display().to_string())
    };
    let mut archives =
        vec![(arguments.archive.clone(), read(&arguments.archive, Selection::WithoutLaterYears)?)];
    for path in &arguments.also {
        archives.push((path.clone(), read(path, Selection::AllYears)?));
    }
    let is_training = |game: &&Game| game.part == Part::Training;
    let mut training: Vec<&Game> = Vec::new();
    for (number, (_, games)) in archives.iter().enumerate() {
        for _ in 0..if number == 0 { 1 } else { 2 } {
            training.extend(games.iter().filter(is_training));
        }
    }
    ensure!(!training.is_empty(), "there is no game of standard chess to learn from");
    Random::new(arguments.seed).shuffle(&mut training);
    let schedule = Schedule {
        seed: arguments.seed,
        passes: usize::from(arguments.passes),
        games: arguments.games.unwrap_or(usize::MAX),
        rate: arguments.rate,
        threads,
    };
    let ends = Ends::learn(&training[..training.len().min(ENDS)]);
    let weights = schedule.learn(training);
    let bytes = [integers::bytes_of(&weights), ends.bytes()].concat();
    std::fs::write(&arguments.output, pack_with_checksum(&bytes, LEVEL)?)?;
    report::report(&archives, &weights, &ends, &Model::from_bytes(&bytes)?, arguments.measure);
    Ok(())
}
