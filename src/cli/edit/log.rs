//! The log of changes: `plybook log`, `undo`, `redo` and `compact`

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use super::{confirm, renew, terminal};
use crate::{
    archive::{Archive, ArchiveError, ChangeSummary, Editor, LoggedChange},
    cli::{ExitStatus, OneArchiveArg, answer::ReportFormat},
    counts::{GAMES, thousands},
    edit::ADDED,
    printable,
};

/// List the changes and imports of an archive
///
/// Changes have a number, with which "plybook undo" and "plybook redo" find them. Imports are listed too, but cannot be
/// undone; "plybook remove --source NAME" removes what an import added.
///
/// Examples:
/// * plybook log
/// * plybook log -a chess.db | tail -5
/// * plybook log --format json | jq '.[-1]'
#[derive(Debug, Args)]
pub(in crate::cli) struct Log {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    #[command(flatten)]
    archive: OneArchiveArg,
}

/// A change or an import.
#[derive(Serialize)]
struct Entry {
    /// The number of the change; `None` for an import.
    change: Option<i64>,
    made: String,
    games: u64,
    command: String,
    undone: bool,
}

impl Log {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let entries = entries(&self.archive.open()?)?;
        self.format.print(&entries, |out| write_text(out, &entries))
    }
}

/// Changes and imports, by time.
fn entries(archive: &Archive) -> anyhow::Result<Vec<Entry>> {
    let of_change = |change: LoggedChange| {
        let LoggedChange { id, made, games, command, undone, .. } = change;
        Entry { change: Some(id), made, games, command, undone }
    };
    let imports = archive.imported_sources()?.into_iter().filter(|source| source.name != ADDED);
    let imports = imports.map(|source| Entry {
        change: None,
        made: source.imported,
        games: source.counts.stored,
        command: format!("import of {}", source.name),
        undone: false,
    });
    let mut entries: Vec<Entry> = imports.chain(archive.changes()?.into_iter().map(of_change)).collect();
    entries.sort_by(|one, other| one.made.cmp(&other.made));
    Ok(entries)
}

fn write_text(out: &mut dyn Write, entries: &[Entry]) -> io::Result<()> {
    writeln!(out, "change  made                  games      command")?;
    for Entry { change, made, games, command, undone } in entries {
        let change = change.map_or(String::new(), |change| change.to_string());
        let undone = if *undone { "  (undone)" } else { "" };
        let (games, command) = (thousands(*games), printable::line(command));
        writeln!(out, "{change:<6}  {made:<20}  {games:<9}  {command}{undone}")?;
    }
    Ok(())
}

/// Undo a change
///
/// Restores the games as they were before the change. If something else has changed the same games since, nothing is
/// undone. Imports cannot be undone.
///
/// Examples:
/// * plybook undo
/// * plybook undo 3
/// * plybook log && plybook undo
#[derive(Debug, Args)]
pub(in crate::cli) struct Undo {
    /// Number of the change in the log [default: the last one that is in effect]
    change: Option<i64>,
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
    archive: &OneArchiveArg,
    done: &str,
    swap: impl FnOnce(&mut Editor) -> Result<ChangeSummary, ArchiveError>,
) -> anyhow::Result<ExitStatus> {
    let mut editor = archive.open_to_change()?;
    let ChangeSummary { id, games, command } = swap(&mut editor)?;
    let (id, count, command) = (id.unwrap_or(0), GAMES.count(games), printable::line(&command));
    terminal::print(format_args!("{done} change {id} ({count}): {command}"))?;
    if games > 1 {
        renew(&editor)?;
    }
    Ok(ExitStatus::Complete)
}

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
        let changes = editor.archive().changes()?.len();
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
