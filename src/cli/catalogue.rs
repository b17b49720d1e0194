//! `plybook catalogue`

use std::path::PathBuf;

use clap::Args;

use super::{split::print_parts, terminal};
use crate::parts::Catalogue;

/// Rebuild the catalogue of a directory of parts
///
/// Use this command if the catalogue is lost or damaged, or after you added or replaced a part. It lists every archive
/// in the directory that is named like a part (part-0001.db, part-0002.db and so on) in numerical order, and rebuilds the
/// fingerprint filters. The archives are not changed.
///
/// The number of a game in the collection counts the games in earlier parts, so it changes if an earlier part is
/// removed. Games are not compared: a game that is stored in two parts appears twice in the collection.
///
/// Examples:
/// * plybook catalogue collection
/// * plybook catalogue collection --quiet
/// * rm collection/catalogue.json && plybook catalogue collection
#[derive(Debug, Args)]
pub(super) struct CatalogueArgs {
    /// Directory that contains the parts
    #[arg(value_name = "DIRECTORY")]
    folder: PathBuf,
    /// Do not list the parts
    #[arg(short, long)]
    quiet: bool,
}

impl CatalogueArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let catalogue = Catalogue::make(&self.folder)?;
        if !self.quiet {
            terminal::printed(print_parts(&catalogue).map_err(Into::into))?;
        }
        Ok(())
    }
}
