//! `plybook salvage`

use std::{io::Write, path::PathBuf};

use clap::Args;

use super::{ExitStatus, advice, terminal, verify::print_faults};
use crate::{
    archive::{Salvaged, salvage},
    counts::{GAMES, thousands},
    files::Protected,
};

/// Copy every sound game of a damaged archive into a new one
///
/// The damaged file is only read, and the new one gets its name when it is whole. Original texts and sources come
/// over only where their checksums do not say that they are not the ones that were stored; what was left out is
/// counted. The exit code is 1 if anything was lost.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook verify -a damaged.db                      what is wrong with it
  plybook salvage damaged.db -o new.db
  plybook import new.db saved.db -a chess.db        what was saved, and what a copy still has")]
pub(super) struct Salvage {
    /// The damaged archive
    #[arg(value_name = "DAMAGED")]
    damaged: PathBuf,
    /// The new archive; it must not exist
    #[arg(short, long, value_name = "NEW")]
    output: PathBuf,
}

impl Salvage {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        Protected::default().archive(&self.damaged).check_stdout()?;
        let bar = terminal::games_counter();
        let salvaged = salvage(&self.damaged, &self.output, move |games| bar.set_position(games))?;
        terminal::printed(print(&salvaged).map_err(Into::into))?;
        if salvaged.had_index {
            terminal::tell(advice::after_salvage(&self.output));
        }
        Ok(ExitStatus::complete_if(salvaged.is_whole()))
    }
}

fn print(salvaged: &Salvaged) -> std::io::Result<()> {
    let mut out = terminal::stdout();
    print_faults(&mut out, &salvaged.first)?;
    writeln!(out, "saved        {}", GAMES.count(salvaged.saved))?;
    if salvaged.lost > 0 {
        writeln!(out, "  ids        new ones: those behind a lost game are smaller than they were")?;
    }
    if salvaged.unproved > 0 {
        writeln!(out, "  unproved   {}: their fingerprints are lost", thousands(salvaged.unproved))?;
    }
    for (games, what) in [
        (salvaged.without_original, "without their original text"),
        (salvaged.unproved_original, "with an original text that nothing proves"),
        (salvaged.without_source, "of unknown source"),
    ] {
        if games > 0 {
            writeln!(out, "  {what}  {}", thousands(games))?;
        }
    }
    writeln!(out, "lost         {}", thousands(salvaged.lost))?;
    out.flush()
}
