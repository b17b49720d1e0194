//! `plybook log`

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{
    archive::{Archive, LoggedChange},
    cli::{OneArchiveArg, answer::ReportFormat},
    counts::thousands,
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
