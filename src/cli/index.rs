//! `plybook index`

use std::{io::Write, ops::ControlFlow};

use clap::Args;

use super::{ArchiveArg, ExitStatus, terminal};
use crate::{
    archive::Archive,
    counts::{GAMES, SEGMENTS},
    query::{IndexReport, build_index},
};

/// Build the index of positions, which makes finding and exploring fast
///
/// It stands in the archive's file, in segments of up to 1,048,576 games. An index that is there is extended by the games that
/// were imported since. If it is stopped, the segments that are done stay, and the current one begins anew: give the same
/// command again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook index
  plybook index -a chess.db --drop")]
pub(super) struct Index {
    /// Take the index away, and give its bytes back
    #[arg(long)]
    drop: bool,
    /// No progress and no report
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Index {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        // What is missing is not made, what is not an archive is told.
        drop(self.archive.open()?);
        let archive = Archive::create_or_open(&self.archive.archive)?;
        if self.drop {
            let dropped = archive.drop_position_index()?;
            archive.finish()?;
            return Ok(ExitStatus::complete_if(dropped));
        }
        let bar = terminal::games_bar(if self.quiet { 0 } else { archive.last_id()?.unsigned_abs() });
        let report = build_index(&archive, None, |games, all| {
            bar.set_length(all);
            bar.set_position(games);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        let report = report?;
        archive.finish()?;
        if !self.quiet {
            print(&report)?;
        }
        Ok(ExitStatus::Complete)
    }
}

fn print(report: &IndexReport) -> anyhow::Result<()> {
    let IndexReport { games, built, segments, .. } = report;
    let mut out = terminal::stdout();
    match built {
        0 => writeln!(out, "the index has all games already, in {}", SEGMENTS.count(*segments))?,
        _ => writeln!(out, "indexed {}; the index has {}", GAMES.count(*games), SEGMENTS.count(*segments))?,
    }
    Ok(out.flush()?)
}
