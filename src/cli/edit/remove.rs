//! `plybook remove`

use clap::Args;

use super::{ChangeArgs, FilterArgs, confirm_many, selected, terminal};
use crate::cli::ExitStatus;

/// Remove games from an archive
///
/// The ids of the games are not used again. A later import of the same source does not bring the games back, unless it
/// has the option --again. "plybook undo" restores them; "plybook compact" frees their space.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook remove 17 20..25
  plybook remove --source old.pgn --dry-run
  plybook remove --plies ..5 --yes")]
pub(in crate::cli) struct Remove {
    /// Ids of games, or ranges of ids [default: the games that pass the filters]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Remove more than 1,000 games without asking
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

impl Remove {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut editor = self.change.archive.open()?;
        let games = selected(editor.archive(), &self.ids, &self.filter)?;
        self.change.list(editor.archive(), &games)?;
        confirm_many(&games, self.yes || self.change.dry_run, "remove")?;
        let bar = terminal::games_bar(games.len() as u64);
        self.change.make(&mut editor, ("removed", "remove"), |change| {
            Ok(change.remove(&games, terminal::watch(bar))?)
        })?;
        Ok(ExitStatus::Complete)
    }
}
