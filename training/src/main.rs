//! Trains the model of how people play from the games of archives.

mod end;
mod games;
mod integers;
mod learning;
mod pass;
mod random;
mod report;
mod weights;

use std::{collections::HashSet, io::Write, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use end::Ends;
use games::{Game, GameReader, Part, Selection};
use learning::Schedule;
use plybook::{
    codec::zstd_frame::pack_with_checksum,
    conditions::FilterText,
    files::{Output, Protected},
    model::Model,
};
use random::Random;

/// Train plybook's model of how people play, and measure it on games that were held out
///
/// Held out of the training are every 15th game, the games of 2021 to 2023, and all games of one player in 200. Of several
/// games with the same moves, only the first is used.
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
    /// Another archive; its games of all years are used, twice in each pass
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// The output file for the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output file if it exists
    #[arg(long)]
    force: bool,
    /// Use only games that meet a condition of "plybook games", written without dashes
    #[arg(long = "where", value_name = "NAME=VALUE", value_parser = condition)]
    conditions: Vec<(String, String)>,
    /// Train on at most N games, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Measure at most about N games of each kind
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    measure: Option<u32>,
    /// Number of passes over the games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    passes: u8,
    /// Initial learning rate of the network
    #[arg(long, default_value_t = 4e-3)]
    rate: f32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads; the same seed gives the same file only with one thread
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
}

fn condition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a condition is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The maximum number of games from whose ends the model learns.
const ENDS: usize = 100_000;

/// The compression level of the file: bytes of weights hardly repeat, and a higher level, which looks for repetitions,
/// takes a third longer to unpack.
const LEVEL: i32 = 1;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let threads = usize::from(arguments.threads);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let protected = arguments.also.iter().fold(Protected::default(), |kept, path| kept.archive(path));
    let protected = protected.archive(&arguments.archive);
    // Before the training, which takes minutes.
    let mut output = Output::create(&arguments.output, arguments.force, &protected)?;
    let archives = arguments.read()?;
    let mut training: Vec<&Game> = Vec::new();
    for (number, (_, games)) in archives.iter().enumerate() {
        for _ in 0..if number == 0 { 1 } else { 2 } {
            training.extend(games.iter().filter(|game| game.part == Part::Training));
        }
    }
    ensure!(!training.is_empty(), "there is no game of standard chess to train on");
    Random::new(arguments.seed).shuffle(&mut training);
    training.truncate(arguments.games.map_or(usize::MAX, |games| games as usize));
    println!("{} games to train on", training.len());
    let ends = Ends::learn(&training[..training.len().min(ENDS)]);
    let schedule = Schedule {
        seed: arguments.seed,
        passes: usize::from(arguments.passes),
        rate: arguments.rate,
        threads,
    };
    let weights = schedule.learn(training);
    let bytes = [integers::bytes_of(&weights), ends.bytes()].concat();
    output.write_all(&pack_with_checksum(&bytes, LEVEL)?)?;
    output.finish()?;
    report::report(&archives, &weights, &ends, &Model::from_bytes(&bytes)?, arguments.measure);
    Ok(())
}

impl Arguments {
    /// The games of each archive.
    fn read(&self) -> Result<Vec<(PathBuf, Vec<Game>)>> {
        let conditions = self.conditions.iter().map(|(name, value)| (&**name, &**value));
        let conditions = FilterText::of(conditions)?;
        let mut reader = GameReader { conditions: &conditions, seen: HashSet::new() };
        let first = (&self.archive, Selection::WithoutLaterYears);
        let paths = [first].into_iter().chain(self.also.iter().map(|path| (path, Selection::AllYears)));
        let read = |(path, selection): (&PathBuf, Selection)| {
            let games = reader.read(path, selection).with_context(|| path.display().to_string())?;
            Ok((path.clone(), games))
        };
        paths.map(read).collect()
    }
}
