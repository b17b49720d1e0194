//! `plybook log`

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use crate::{
    archive::{Archive, ChangedGame, ImportedSources, LoggedChange},
    cli::{OneArchiveArg, answer::ReportFormat, terminal},
    counts::{GAMES, thousands},
    edit::{ChangeSentence, name_of},
    printable,
    record::GameId,
};

/// List the changes and imports of an archive
///
/// Times are those of this machine's time zone; JSON has them in UTC. Changes and imports have a number, with which
/// "plybook undo" and "plybook redo" find them. An import that was stopped and continued is one.
///
/// Examples:
/// * plybook log
/// * plybook log -a chess.db | tail -5
/// * plybook log --commands
/// * plybook log --games 3
/// * plybook log --format json | jq '.[-1]'
#[derive(Debug, Args)]
pub(in crate::cli) struct Log {
    /// Show the commands that made the changes
    #[arg(long)]
    commands: bool,
    /// List the games of a change, by its number, at most 10,000
    #[arg(long, value_name = "CHANGE", conflicts_with = "commands")]
    games: Option<i64>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    #[command(flatten)]
    archive: OneArchiveArg,
}

/// A change or an import.
#[derive(Serialize)]
struct Entry {
    /// Its number.
    change: i64,
    made: String,
    games: u64,
    /// What it did, as a sentence.
    text: String,
    command: String,
    undone: bool,
    /// The sources of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    import: Option<ImportedSources>,
}

/// The most games of a change that are listed.
const LISTED: u64 = 10_000;

/// A game of a change.
#[derive(Serialize)]
struct GameOfChange {
    id: GameId,
    name: String,
    /// Whether it is no longer as the change left it.
    changed_since: bool,
}

impl Log {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        if let Some(change) = self.games {
            let games = games_of(&archive, change)?;
            return self.format.print(&games, |out| write_games(out, &games));
        }
        let entries = archive.changes()?.into_iter().map(|change| Entry::of(&archive, change));
        let entries = entries.collect::<anyhow::Result<Vec<_>>>()?;
        let times = entries.iter().map(|entry| archive.local_time(&entry.made));
        let times = times.collect::<Result<Vec<_>, _>>()?;
        self.format.print(&entries, |out| write_text(out, entries.iter().zip(&times), self.commands))
    }
}

fn games_of(archive: &Archive, change: i64) -> anyhow::Result<Vec<GameOfChange>> {
    let change = archive.changes()?.into_iter().find(|logged| logged.id == change);
    let change = change.context("the log has no change with this number")?;
    let games = archive.changed_games(&change, LISTED)?.into_iter();
    if change.games > LISTED {
        let all = thousands(change.games);
        terminal::tell(format_args!("the first {} of {all} games are listed", thousands(LISTED)));
    }
    let game = |game: ChangedGame| GameOfChange {
        id: game.id,
        name: name_of(&game),
        changed_since: !game.is_as_left,
    };
    Ok(games.map(game).collect())
}

fn write_games(out: &mut dyn Write, games: &[GameOfChange]) -> io::Result<()> {
    games.iter().try_for_each(|GameOfChange { id, name, changed_since }| {
        let since = if *changed_since { "  (changed since)" } else { "" };
        writeln!(out, "{id}  {}{since}", printable::line(name))
    })
}

impl Entry {
    fn of(archive: &Archive, change: LoggedChange) -> anyhow::Result<Entry> {
        let text = sentence(archive, &change)?;
        let LoggedChange { id: change, made, games, command, undone, import, .. } = change;
        Ok(Entry { change, made, games, text, command, undone, import })
    }
}

/// What a change did, in English.
pub(super) fn sentence(archive: &Archive, change: &LoggedChange) -> anyhow::Result<String> {
    let sentence = ChangeSentence::of(archive, change)?;
    Ok(sentence.fill(sentence.template, &sentence.tag, &GAMES.count(change.games)))
}

fn write_text<'a>(
    out: &mut dyn Write,
    entries: impl Iterator<Item = (&'a Entry, &'a String)>,
    commands: bool,
) -> io::Result<()> {
    writeln!(out, "change  made              games      {}", if commands { "command" } else { "what" })?;
    for (Entry { change, games, text, command, undone, .. }, made) in entries {
        let undone = if *undone { "  (undone)" } else { "" };
        let (games, what) = (thousands(*games), printable::line(if commands { command } else { text }));
        writeln!(out, "{change:<6}  {made:<16}  {games:<9}  {what}{undone}")?;
    }
    Ok(())
}
