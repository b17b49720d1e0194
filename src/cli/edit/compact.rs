//! `plybook compact`

use clap::Args;

use super::{ChangedArchive, confirm, renew, terminal};
use crate::cli::ExitStatus;

/// Delete the log of changes and free its space
///
/// After that, no earlier change can be undone. Removed games stay removed: a later import of the same source does not
/// bring them back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook compact
  plybook log && plybook compact
  plybook compact --yes -a chess.db")]
pub(in crate::cli) struct Compact {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    archive: ChangedArchive,
}

impl Compact {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut editor = self.archive.open()?;
        let changes = editor.archive().changes()?.len();
        if changes == 0 {
            terminal::print("the log is empty")?;
            return Ok(ExitStatus::Complete);
        }
        let of = if changes == 1 { "change" } else { "changes" };
        confirm(self.yes, &format!("delete the log of {changes} {of}, which then cannot be undone"))?;
        renew(&editor)?;
        editor.delete_log()?;
        terminal::print(format_args!("deleted the log of {changes} {of}"))?;
        Ok(ExitStatus::Complete)
    }
}
