//! `plybook migrate`

use std::io::Write;

use clap::Args;

use super::{OneArchiveArg, terminal};
use crate::{
    archive::{CHECKSUMS, VERSION, WritableArchive},
    counts::GAMES,
    printable,
};

/// Migrate an archive of an older plybook version to the current format and rules
///
/// Reading never changes an archive. An import migrates the format; only this command also updates the dates, ratings,
/// ECO codes and speeds of games that release 0.2 or earlier stored: it reads their tags again, by the current rules, and
/// rebuilds the index if a value has changed. Ids, tags and moves stay the same, and changes can still be undone. Each
/// step is atomic. A damaged archive is rejected, because new checksums would hide the damage.
///
/// Examples:
/// * plybook migrate
/// * plybook backup before.db -a chess.db && plybook migrate -a chess.db
/// * plybook info -a chess.db                          its format version, and whether values are older
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
        let watch = terminal::watch_all(terminal::games_bar(0));
        match WritableArchive::renew_values(&self.archive.archive, watch)? {
            Some(changed) if changed > 0 => {
                writeln!(out, "{file}: values updated in {}", GAMES.count(changed))?
            }
            _ => writeln!(out, "{file}: all values follow the current rules")?,
        }
        Ok(out.flush()?)
    }
}
