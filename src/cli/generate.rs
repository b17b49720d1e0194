//! `plybook generate`

use std::io::Write;

use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::terminal::{self, OutputArgs};
use crate::{files::Protected, generate::Generator};

/// Events to generate at a time, on all cores.
const EVENTS: usize = 512;

/// Generate random games as PGN, for benchmarks
///
/// The same seed gives the same games on every machine. Openings, lengths, events, and how often players recur follow a
/// real collection. The moves after the opening are legal and plausible, but not calculated.
///
/// Examples:
/// * plybook generate --games 3
/// * plybook generate --games 1000000 --seed 7 -o million.pgn
/// * plybook generate --games 1000000 | plybook import - -a million.db
#[derive(Debug, Args)]
pub(super) struct Generate {
    /// Number of games
    #[arg(long, value_name = "N")]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

impl Generate {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let generator = Generator::new(self.seed);
        let is_shown = !self.output.is_terminal();
        let bar = if is_shown { terminal::games_bar(self.games) } else { ProgressBar::hidden() };
        let mut out = self.output.open(&Protected::default())?;
        let name = out.name.clone();
        let (mut event, mut left) = (0, self.games);
        while left > 0 {
            let mut planned = Vec::new();
            while left > 0 && planned.len() < EVENTS {
                let games = generator.games_of(event).min(left);
                planned.push((event, games));
                (event, left) = (event + 1, left - games);
            }
            let texts: Vec<String> = planned
                .into_par_iter()
                .map(|(event, games)| {
                    let mut text = String::new();
                    generator.write_event(event, games, &mut text);
                    text
                })
                .collect();
            for text in texts {
                out.write_all(text.as_bytes()).with_context(|| name.clone())?;
            }
            bar.set_position(self.games - left);
        }
        out.finish()?;
        bar.finish_and_clear();
        Ok(())
    }
}
