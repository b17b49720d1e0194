//! `plybook verify`

use std::io::Write;

use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, Done,
    output::{self, thousands},
};
use crate::printable;

/// Prove that every game can be given back as it was stored
///
/// Decodes every game, compares its fingerprint with the stored one, and runs SQLite's own checks. The exit
/// code is 1 if there is a fault.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook verify -a chess.db")]
pub(super) struct Verify {
    /// The form of the verdict
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let bar = output::games_bar(archive.last_id().unwrap_or(0).unsigned_abs());
        let verdict = archive.verify(|games| bar.set_position(games))?;
        bar.finish_and_clear();
        if let Format::Json = self.format {
            output::json(&verdict)?;
            return Ok(verdict.faults == 0);
        }
        let mut out = output::stdout();
        for fault in &verdict.first {
            match fault.game {
                Some(id) => writeln!(out, "game {id}: {}", printable::line(&fault.what))?,
                None => writeln!(out, "{}", printable::line(&fault.what))?,
            }
        }
        let untold = verdict.faults.saturating_sub(verdict.first.len() as u64);
        if untold > 0 {
            writeln!(out, "and {} more", thousands(untold))?;
        }
        let (games, plies) = (thousands(verdict.games), thousands(verdict.plies));
        match verdict.faults {
            0 => writeln!(out, "{games} games, {plies} plies: all sound")?,
            faults => writeln!(out, "{games} games, {plies} plies: {} faults", thousands(faults))?,
        }
        out.flush()?;
        Ok(verdict.faults == 0)
    }
}
