//! `plybook catalogue`

use std::path::PathBuf;

use clap::Args;

use super::{ExitStatus, split, terminal};
use crate::parts::Catalogue;

/// Rebuild the catalogue of a folder of parts
///
/// It lists every archive of the folder that is named like a part: part-0001.db, part-0002.db and so on, in the order of
/// their numbers. The filters of their fingerprints are rebuilt too. The archives stay as they are. Use it if the
/// catalogue is lost or damaged, or after a part was added or replaced. The number of a game in the collection counts the
/// games of the parts before its own, so it changes if one of these is no longer there. Games are not compared: one that
/// two parts have is in the collection twice.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook catalogue collection
  plybook catalogue collection --quiet
  rm collection/catalogue.json && plybook catalogue collection")]
pub(super) struct CatalogueArgs {
    /// The folder with the parts
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// No list of the parts
    #[arg(short, long)]
    quiet: bool,
}

impl CatalogueArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let catalogue = Catalogue::make(&self.folder)?;
        if !self.quiet {
            terminal::printed(split::print(&catalogue).map_err(Into::into))?;
        }
        Ok(ExitStatus::Complete)
    }
}
