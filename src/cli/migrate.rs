//! `plybook migrate`

use std::io::Write;

use clap::Args;

use super::{OneArchiveArg, terminal};
use crate::{
    archive::{CHECKSUMS, VERSION, WritableArchive},
    printable,
};

/// Migrate an archive of an older plybook version to the current format
///
/// Reading never changes an archive; only this command, or an import, migrates it. Each step is atomic. A damaged
/// archive is rejected, because new checksums would hide the damage.
///
/// Examples:
/// * plybook migrate
/// * plybook backup before.db -a chess.db && plybook migrate -a chess.db
/// * plybook info -a chess.db                          its format version
#[derive(Debug, Args)]
pub(super) struct Migrate {
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Migrate {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.archive.protected().check_stdout()?;
        let (file, mut out) = (self.archive.archive.display().to_string(), terminal::stdout());
        let file = printable::line(&file);
        match WritableArchive::migrate(&self.archive.archive)? {
            found if found >= VERSION => writeln!(out, "{file}: already at version {found}")?,
            found => {
                writeln!(out, "{file}: migrated from version {found} to {VERSION}")?;
                if found < CHECKSUMS {
                    writeln!(
                        out,
                        "some data is older than its checksums and cannot be verified; for details: plybook verify -a {file}"
                    )?;
                }
            }
        }
        Ok(out.flush()?)
    }
}
