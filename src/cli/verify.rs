//! `plybook verify`

use std::io::Write;

use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, Done,
    output::{self, thousands},
};
use crate::{
    archive::{Unproved, Verdict},
    printable,
};

/// Prove that every game can be given back as it was stored
///
/// Decodes every game, compares its fingerprint with the stored one, compares all other rows with their checksums,
/// and runs SQLite's own checks. So every damage is found that changes what any command prints. The exit code is 1
/// if there is a fault; also for an archive of version 2, whose original texts, sources and order of tag pairs
/// nothing can prove: `migrate` makes checksums of them as they are now.
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
        output::printed(match self.format {
            Format::Json => output::json(&verdict),
            Format::Text => print(&verdict).map_err(Into::into),
        })?;
        Ok(verdict.is_sound())
    }
}

fn print(verdict: &Verdict) -> std::io::Result<()> {
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
    if let Some(line) = unproved(&verdict.unproved) {
        writeln!(out, "not proved: {line}")?;
    }
    let (games, plies) = (thousands(verdict.games), thousands(verdict.plies));
    match verdict.faults {
        0 if !verdict.is_sound() => writeln!(out, "{games} games, {plies} plies: sound but for that")?,
        0 => writeln!(out, "{games} games, {plies} plies: all sound")?,
        faults => writeln!(out, "{games} games, {plies} plies: {} faults", thousands(faults))?,
    }
    out.flush()
}

/// Says what nothing can prove; `None` if there is no such thing.
fn unproved(Unproved { without_checksums, originals, sources }: &Unproved) -> Option<String> {
    let what =
        format!("{} original texts and {} sources of games", thousands(*originals), thousands(*sources));
    match (without_checksums, originals + sources) {
        (true, _) => Some(format!(
            "{what}, and the order of tag pairs: the archive has no checksums; to make them: plybook migrate"
        )),
        (false, 0) => None,
        (false, _) => Some(format!("whether {what} had changed before they got their checksums")),
    }
}
