//! `plybook compact`

use clap::Args;

use super::{confirm, renew, terminal};
use crate::cli::OneArchiveArg;

/// Delete the log of changes and free its space
///
/// After that, no earlier change can be undone. Removed games stay removed: a later import of the same source does not
/// bring them back.
///
/// Examples:
/// * plybook compact
/// * plybook log && plybook compact
/// * plybook compact --yes -a chess.db
#[derive(Debug, Args)]
pub(in crate::cli) struct Compact {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Compact {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let mut editor = self.archive.open_to_change()?;
        let changes = editor.archive().changes()?.iter().filter(|change| change.is_logged()).count();
        if changes == 0 {
            terminal::print("the log is empty")?;
            return Ok(());
        }
        let of = if changes == 1 { "change" } else { "changes" };
        confirm(self.yes, &format!("delete the log of {changes} {of}, which then cannot be undone"))?;
        renew(&editor)?;
        editor.delete_log()?;
        Ok(terminal::print(format_args!("deleted the log of {changes} {of}"))?)
    }
}
