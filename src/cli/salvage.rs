//! `plybook salvage`

use std::{io::Write, path::PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::{ExitStatus, advice, edit::tell_of_log, terminal, verify::print_faults};
use crate::{
    archive::{ArchiveError, Salvaged, salvage},
    counts::{GAMES, thousands},
    files::Protected,
};

/// Copy the intact games of a damaged archive to a new one
///
/// The damaged file is only read; the new file is renamed into place when it is complete. Original texts and sources
/// are copied only if their checksums match or are missing; what was left out is counted. The exit code is 1 if
/// anything was lost.
///
/// Examples:
/// * plybook verify -a damaged.db                      what is wrong with it
/// * plybook salvage damaged.db -o new.db
/// * plybook import new.db saved.db -a chess.db        the saved games, and the others from a backup
#[derive(Debug, Args)]
pub(super) struct Salvage {
    /// Damaged archive
    #[arg(value_name = "DAMAGED")]
    damaged: PathBuf,
    /// New archive file; must not exist
    #[arg(short, long, value_name = "NEW")]
    output: PathBuf,
}

impl Salvage {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        Protected::default().archive(&self.damaged).check_stdout()?;
        let bar = terminal::games_counter();
        let salvaged = salvage(&self.damaged, &self.output, move |games| bar.set_position(games));
        let salvaged = salvaged.map_err(without_advice)?;
        terminal::printed(print_salvaged(&salvaged).map_err(Into::into))?;
        tell_of_log([self.damaged.as_path()]);
        if salvaged.had_index {
            terminal::tell(advice::after_salvage(&self.output));
        }
        Ok(ExitStatus::complete_if(salvaged.is_whole()))
    }
}

/// The usual advice is to import games, or to run this command.
fn without_advice(error: ArchiveError) -> anyhow::Error {
    match error {
        ArchiveError::Missing(_) => anyhow!("{error}"),
        ArchiveError::Malformed { .. } | ArchiveError::Endless { .. } => {
            anyhow!("{error}; it cannot be salvaged, so restore it from a backup")
        }
        error => error.into(),
    }
}

fn print_salvaged(salvaged: &Salvaged) -> std::io::Result<()> {
    let mut out = terminal::stdout();
    print_faults(&mut out, &salvaged.first)?;
    writeln!(out, "saved        {}", GAMES.count(salvaged.saved))?;
    if salvaged.lost > 0 {
        writeln!(out, "  ids        renumbered: games after a lost one have smaller ids than before")?;
    }
    if salvaged.unproved > 0 {
        writeln!(out, "  unverified {}: their fingerprints are lost", thousands(salvaged.unproved))?;
    }
    for (games, what) in [
        (salvaged.without_original, "without their original text"),
        (salvaged.unproved_original, "with an original text that cannot be verified"),
        (salvaged.without_source, "with an unknown source"),
        (salvaged.lost_rejects, "rejected games that are lost"),
    ] {
        if games > 0 {
            writeln!(out, "  {what}  {}", thousands(games))?;
        }
    }
    writeln!(out, "lost         {}", thousands(salvaged.lost))?;
    out.flush()
}
