//! `plybook backup`

use std::path::PathBuf;

use clap::Args;

use super::{ExitStatus, OneArchiveArg, terminal};
use crate::{archive::ArchiveError, counts::GAMES, printable};

/// Copy the archive as it is at this moment, while others may read and write it
///
/// The copy is opened and checked before it gets its name; until then it is FILE.plybook-part.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook backup saved.db
  plybook backup saved.db -a chess.db --force
  plybook backup \"chess-$(date +%F).db\" -a chess.db")]
pub(super) struct Backup {
    /// The copy; if it exists, --force is needed
    #[arg(value_name = "FILE")]
    to: PathBuf,
    /// Replace FILE if it exists, also an archive, but never the one that is copied
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Backup {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?;
        let bar = terminal::bar(0, "pages");
        let games = archive.maintenance().backup(&self.to, self.force, move |done, pages| {
            bar.set_length(pages);
            bar.set_position(done);
        });
        let games = games.map_err(|error| match error {
            ArchiveError::File(error) => terminal::or_force(error, self.force),
            error => error.into(),
        })?;
        let told = format!("{}: {}", self.to.display(), GAMES.count(games));
        terminal::print(printable::line(&told))?;
        Ok(ExitStatus::Complete)
    }
}
