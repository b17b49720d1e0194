//! `plybook backup`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::{OneArchiveArg, terminal};
use crate::{archive::ArchiveError, counts::GAMES, printable};

/// Copy an archive to a new file, even while other programs read and write it
///
/// The copy is a consistent snapshot. It is written to FILE.plybook-part, opened and checked, and then renamed.
///
/// Examples:
/// * plybook backup saved.db
/// * plybook backup saved.db -a chess.db --force
/// * plybook backup "chess-$(date +%F).db" -a chess.db
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// File to write; requires --force if it exists
    #[arg(value_name = "FILE")]
    to: PathBuf,
    /// Replace FILE if it exists, even if it is an archive, but never the archive that is copied. The copy is first
    /// checked as "plybook verify" does; if it has a fault, FILE stays as it is
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Backup {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        let bar = terminal::bar(0, "pages");
        let games = archive.maintenance().backup(&self.to, self.force, move |done, pages| {
            bar.set_length(pages);
            bar.set_position(done);
        });
        let games = games.map_err(|error| match error {
            ArchiveError::File(error) => terminal::or_force(error, self.force),
            error @ ArchiveError::BadCopy(..) => {
                let source = self.archive.archive.display();
                anyhow!(
                    "{error}; nothing was written; to check the archive itself: plybook verify -a {source}"
                )
            }
            error => error.into(),
        })?;
        let answer = format!("{}: {}", self.to.display(), GAMES.count(games));
        Ok(terminal::print(printable::line(&answer))?)
    }
}
