//! `plybook undo` and `plybook redo`

use clap::Args;

use super::{log, renew, say_changed, terminal, typed_command};
use crate::{
    archive::{ArchiveError, ChangeSummary, Editor, Filter},
    cli::OneArchiveArg,
    printable,
};

/// Undo a change or an import
///
/// Restores the games as they were before the change. If something else has changed the same games since, nothing is
/// undone. With --games, only these games are restored; this is a change of its own.
///
/// Undoing an import removes the games that it added; what it updated is as it was before. Its sources are read again by
/// the next import.
///
/// Examples:
/// * plybook undo
/// * plybook undo 3
/// * plybook undo 3 --games 17,20..25
/// * plybook log && plybook undo
#[derive(Debug, Args)]
pub(in crate::cli) struct Undo {
    /// Number of the change in the log [default: the last one that is in effect]
    change: Option<i64>,
    /// Restore only these games: ids and ranges of ids
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    games: Vec<String>,
    #[command(flatten)]
    archive: OneArchiveArg,
}

/// Redo a change that was undone
///
/// Examples:
/// * plybook redo
/// * plybook redo 3
/// * plybook redo -a chess.db
#[derive(Debug, Args)]
pub(in crate::cli) struct Redo {
    /// Number of the change in the log [default: the one that was undone last]
    change: Option<i64>,
    #[command(flatten)]
    archive: OneArchiveArg,
}

impl Undo {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        if self.games.is_empty() {
            return swap(&self.archive, "undid", |editor| editor.undo(self.change));
        }
        let games = self.games.iter().map(|ids| Filter::id_ranges(ids)).collect::<Result<Vec<_>, _>>()?;
        let mut editor = self.archive.open_to_change()?;
        let summary = editor.undo_games(self.change, &games.concat(), &typed_command())?;
        say_changed(&editor, "restore", &summary)
    }
}

impl Redo {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        swap(&self.archive, "redid", |editor| editor.redo(self.change))
    }
}

/// Undoes or redoes a change, and prints what was done.
fn swap(
    archive: &OneArchiveArg,
    done: &str,
    swap: impl FnOnce(&mut Editor) -> Result<ChangeSummary, ArchiveError>,
) -> anyhow::Result<()> {
    let mut editor = archive.open_to_change()?;
    let ChangeSummary { id, games, .. } = swap(&mut editor)?;
    let changes = editor.archive().changes()?;
    if let Some(change) = changes.iter().find(|change| Some(change.id) == id) {
        let text = log::sentence(editor.archive(), change)?;
        terminal::print(format_args!("{done} change {}: {}", change.id, printable::line(&text)))?;
    }
    if games > 1 {
        renew(&editor)?;
    }
    Ok(())
}
