//! `plybook undo` and `plybook redo`

use clap::Args;

use super::{ChangedArchive, renew, terminal};
use crate::{
    archive::{ArchiveError, ChangeSummary, Editor},
    cli::ExitStatus,
    counts::GAMES,
    printable,
};

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
        swap(&self.archive, "undid", |editor| editor.undo(self.change))
    }
}

impl Redo {
    pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
        swap(&self.archive, "redid", |editor| editor.redo(self.change))
    }
}

/// Undoes or redoes a change, and prints what was done.
fn swap(
    archive: &ChangedArchive,
    done: &str,
    swap: impl FnOnce(&mut Editor) -> Result<ChangeSummary, ArchiveError>,
) -> anyhow::Result<ExitStatus> {
    let mut editor = archive.open()?;
    let ChangeSummary { id, games, command } = swap(&mut editor)?;
    let (id, count, command) = (id.unwrap_or(0), GAMES.count(games), printable::line(&command));
    terminal::print(format_args!("{done} change {id} ({count}): {command}"))?;
    if games > 1 {
        renew(&editor)?;
    }
    Ok(ExitStatus::Complete)
}
