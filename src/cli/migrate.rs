//! `plybook migrate`

use std::io::Write;

use clap::Args;

use super::{ExitStatus, OneArchiveArg, terminal};
use crate::{
    archive::{CHECKSUMS, VERSION, WritableArchive},
    printable,
};

/// Bring an archive of an older plybook up to date
///
/// Reading never changes an archive; this command, and every import into it, brings an older one up to date. Each
/// step is taken as a whole or not at all. A damaged archive is refused: the checksums that it would get would make
/// its damage look sound.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook migrate
  plybook backup before.db -a chess.db && plybook migrate -a chess.db
  plybook info -a chess.db                          which version it is of")]
pub(super) struct Migrate {
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Migrate {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        self.archive.protected().check_stdout()?;
        let (file, mut out) = (self.archive.archive.display().to_string(), terminal::stdout());
        let file = printable::line(&file);
        match WritableArchive::migrate(&self.archive.archive)? {
            VERSION => writeln!(out, "{file}: up to date, version {VERSION}")?,
            found => {
                writeln!(out, "{file}: brought from version {found} to {VERSION}")?;
                if found < CHECKSUMS {
                    writeln!(
                        out,
                        "from before it had checksums, not everything can be proved; what, tells: plybook verify -a {file}"
                    )?;
                }
            }
        }
        out.flush()?;
        Ok(ExitStatus::Complete)
    }
}
