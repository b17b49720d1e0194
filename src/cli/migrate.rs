//! `plybook migrate`

use std::io::Write;

use clap::Args;

use super::{ArchiveArg, Done, output};
use crate::{
    archive::{Archive, VERSION},
    printable,
};

/// Bring an archive of an older plybook up to date
///
/// Reading never changes an archive, so an older one is refused there; this command, and every import into
/// it, brings it up to date. Each step is taken as a whole or not at all.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook migrate -a chess.db")]
pub(super) struct Migrate {
    #[command(flatten)]
    archive: ArchiveArg,
}

impl Migrate {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let (file, mut out) = (self.archive.archive.display().to_string(), output::stdout());
        let file = printable::line(&file);
        match Archive::migrate(&self.archive.archive)? {
            VERSION => writeln!(out, "{file}: up to date, version {VERSION}")?,
            found => writeln!(out, "{file}: brought from version {found} to {VERSION}")?,
        }
        out.flush()?;
        Ok(true)
    }
}
