//! `plybook undo` and `plybook redo`

use clap::Args;

use super::{ChangedArchive, renew, terminal};
use crate::{archive::ChangeSummary, cli::ExitStatus, counts::GAMES, printable};

/// Undo a change
///
/// Restores the games as they were before the change. If something else has changed the same games since, nothing is
/// undone. Imports cannot be undone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook undo
  plybook undo 3
  plybook log && plybook undo")]
pub(in crate::cli) struct Undo {
    /// Number of the change in the log [default: the last one that is in effect]
    change: Option<i64>,
    #[command(flatten)]
    archive: ChangedArchive,
}

/// Redo a change that was undone
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook redo
  plybook redo 3
  plybook redo -a chess.db")]
pub(in crate::cli) struct Redo {
    /// Number of the change in the log [default: the one that was undone last]
    change: Option<i64>,
    #[command(flatten)]
    archive: ChangedArchive,
}

impl Undo {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut editor = self.archive.open()?;
        let undone = editor.undo(self.change)?;
        print("undid", &undone)?;
        if undone.games > 1 {
            renew(&editor)?;
        }
        Ok(ExitStatus::Complete)
    }
}

impl Redo {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        let mut editor = self.archive.open()?;
        let redone = editor.redo(self.change)?;
        print("redid", &redone)?;
        if redone.games > 1 {
            renew(&editor)?;
        }
        Ok(ExitStatus::Complete)
    }
}

fn print(done: &str, ChangeSummary { id, games, command }: &ChangeSummary) -> anyhow::Result<()> {
    let (id, games) = (id.unwrap_or(0), GAMES.count(*games));
    Ok(terminal::print(format_args!("{done} change {id} ({games}): {}", printable::line(command)))?)
}
