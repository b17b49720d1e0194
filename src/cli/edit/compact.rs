//! `plybook compact`

use clap::Args;

use super::{confirm, renew, terminal};
use crate::{cli::OneArchiveArg, counts::GAMES};

/// Delete the log of changes, and perhaps the rejected games that are kept, and free their space
///
/// After that, no earlier change can be undone. Removed games stay removed: a later import of the same source does not
/// bring them back. Rejected games that the archive keeps stay, unless with --rejects.
///
/// Examples:
/// * plybook compact
/// * plybook log && plybook compact
/// * plybook compact --yes -a chess.db
/// * plybook compact --rejects
#[derive(Debug, Args)]
pub(in crate::cli) struct Compact {
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Also delete the rejected games that the archive keeps
    #[arg(long)]
    rejects: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Compact {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let mut editor = self.archive.open_to_change()?;
        let changes = editor.archive().changes()?.iter().filter(|change| change.is_logged()).count();
        let rejects = if self.rejects { editor.archive().kept_rejects()?.games } else { 0 };
        if changes == 0 && rejects == 0 {
            terminal::print("the log is empty")?;
            return Ok(());
        }
        let of = if changes == 1 { "change" } else { "changes" };
        let log = (changes > 0).then(|| format!("the log of {changes} {of}"));
        let rejects = (rejects > 0).then(|| format!("{} kept as rejected", GAMES.count(rejects)));
        let what = log.iter().chain(&rejects).map(String::as_str).collect::<Vec<_>>().join(" and ");
        confirm(self.yes, &format!("delete {what}, which then cannot be undone"))?;
        renew(&editor)?;
        editor.delete_log(rejects.is_some())?;
        Ok(terminal::print(format_args!("deleted {what}"))?)
    }
}
