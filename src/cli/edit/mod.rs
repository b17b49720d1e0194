//! Commands that change games: each is one entry of the log, and can be undone.

mod add;
mod annotations;
mod compact;
mod copy;
mod edit_text;
mod log;
mod remove;
mod same_games;
mod tag;
mod undo_redo;

use std::{
    io::{IsTerminal, Write, stderr, stdin},
    path::Path,
};

use anyhow::{anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::{
    OneArchiveArg,
    filter::{FilterArgs, tell_matched_events},
    import::report::note,
    terminal,
};
use crate::{
    archive::{
        Archive, ArchiveError, Change, ChangeSummary, ChangedGame, Editor, Filter, GameSet, LoggedChange,
    },
    codec::CodecId,
    counts::{GAMES, thousands},
    edit,
    pgn::{ReadOptions, Warning},
    query::renew_index,
    record::{GameId, Ply, Record, StoredGame},
};
pub(super) use add::Add;
pub(super) use annotations::{CommentArgs, Glyph};
pub(super) use compact::Compact;
pub(super) use copy::Copy;
pub(super) use edit_text::Edit;
pub(super) use log::Log;
pub(super) use remove::Remove;
pub(super) use same_games::ResolveArgs;
pub(super) use tag::Tag;
pub(super) use undo_redo::{Redo, Undo};

/// Changes of more games than this must be confirmed.
const MANY: usize = 1000;

/// The most games that a trial lists.
const LISTED: usize = 20;

impl OneArchiveArg {
    /// Opens the archive for a change, unless standard output is redirected into it.
    fn open_to_change(&self) -> anyhow::Result<Editor> {
        self.protected().check_stdout()?;
        Ok(Editor::open(&self.archive)?)
    }
}

/// Options of all changes.
#[derive(Clone, Debug, Args)]
struct ChangeArgs {
    /// Only show what would change
    #[arg(short = 'n', long)]
    dry_run: bool,
    #[command(flatten)]
    archive: OneArchiveArg,
}

/// Options of changes that may concern many games. Must be the last field of a command; see [`FilterArgs`].
#[derive(Debug, Args)]
struct ManyGamesArgs {
    /// Change or remove more than 1,000 games without asking
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

impl ManyGamesArgs {
    /// Makes a change of games, after they have been listed for a trial or confirmed: some ids, or those that pass the
    /// filters.
    fn make(
        &self,
        ids: &[String],
        verb: &str,
        make: impl FnOnce(&mut Change<'_>, &GameSet, ProgressBar) -> Result<(), ArchiveError>,
    ) -> anyhow::Result<()> {
        let mut editor = self.change.archive.open_to_change()?;
        let games = selected(editor.archive(), ids, &self.filter)?;
        self.change.list(editor.archive(), &games)?;
        if games.len() > MANY && !self.change.dry_run {
            confirm(self.yes, &format!("{verb} {}", GAMES.count(games.len() as u64)))?;
        }
        let bar = terminal::games_bar(games.len() as u64);
        self.change.make(&mut editor, verb, |change| make(change, &games, bar))?;
        Ok(())
    }
}

impl ChangeArgs {
    /// Makes a change, and prints what was done, with a regular verb.
    fn make(
        &self,
        editor: &mut Editor,
        verb: &str,
        make: impl FnOnce(&mut Change<'_>) -> Result<(), ArchiveError>,
    ) -> anyhow::Result<ChangeSummary> {
        let ((), summary) = editor.change(&typed_command(), self.dry_run, make)?;
        match self.dry_run && summary.id.is_some() {
            true => terminal::print(format_args!("would {verb} {}", GAMES.count(summary.games)))?,
            false => say_changed(editor, verb, &summary)?,
        }
        Ok(summary)
    }

    /// Edits a game at a ply.
    fn edit_ply(
        &self,
        id: GameId,
        ply: Ply,
        verb: &str,
        edit: impl Fn(&StoredGame, usize) -> Result<Option<Record>, ArchiveError> + Sync,
    ) -> anyhow::Result<()> {
        let mut editor = self.archive.open_to_change()?;
        let ply = ply_of(editor.archive(), id, ply)?;
        let game: GameSet = [id].into_iter().collect();
        self.list(editor.archive(), &game)?;
        self.make(&mut editor, verb, |change| {
            let bar = terminal::games_bar(1);
            change.edit(&game, |game| edit(game, ply), terminal::watch(bar))
        })?;
        Ok(())
    }

    /// Lists the first games that a trial concerns.
    fn list(&self, archive: &Archive, games: &GameSet) -> anyhow::Result<()> {
        if !self.dry_run {
            return Ok(());
        }
        for id in games.ids().iter().take(LISTED) {
            let line = format!("game {id}: {}", edit::name_of(&ChangedGame::of(&archive.game(*id)?)));
            terminal::print(crate::printable::line(&line))?;
        }
        match games.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => Ok(terminal::print(format_args!("and {} more", thousands(more as u64)))?),
        }
    }
}

/// The command as it was typed, for the log.
fn typed_command() -> String {
    let arguments = std::env::args_os().skip(1);
    edit::command_line(arguments.map(|argument| argument.to_string_lossy().into_owned()))
}

/// Says what a change did, and renews the index after a change of several games.
fn say_changed(editor: &Editor, verb: &str, summary: &ChangeSummary) -> anyhow::Result<()> {
    let games = GAMES.count(summary.games);
    match summary.id {
        None => terminal::print("nothing to change: the games are as requested already")?,
        Some(id) => {
            let done = verb.strip_suffix('e').unwrap_or(verb);
            terminal::print(format_args!("{done}ed {games} (change {id}; to undo it: plybook undo)"))?;
        }
    }
    if summary.games > 1 { renew(editor) } else { Ok(()) }
}

/// Encodes the game of a text. What was read differently from how it is written is noted, as by an import; a typed game
/// may lack tags and a result.
fn read_record(text: &[u8], options: ReadOptions, codec: CodecId) -> Result<Record, ArchiveError> {
    let game = edit::game_read_with(text, options)?;
    let is_usual = |warning| matches!(warning, Warning::NoTags | Warning::NoTermination);
    for (warning, count) in game.warnings.iter().filter(|(warning, _)| !is_usual(*warning)) {
        terminal::tell(note(warning.text(), count));
    }
    edit::not_understood(text, &game).iter().for_each(terminal::tell);
    edit::encoded(game, codec)
}

/// Says that a new archive has no log, if one of those it was made from has.
pub(super) fn tell_of_log<'a>(archives: impl IntoIterator<Item = &'a Path>) {
    for path in archives {
        // Other errors have been reported.
        let Ok(log) = Archive::open(path).and_then(|archive| archive.changes()) else { continue };
        if log.iter().any(LoggedChange::is_logged) {
            terminal::tell(format_args!("the log of changes of {} was not copied", path.display()));
        }
    }
}

/// Rebuilds the parts of the index of which many games have changed.
fn renew(editor: &Editor) -> anyhow::Result<()> {
    renew_index(editor.archive(), terminal::watch_all(terminal::games_bar(0)))?;
    Ok(())
}

/// The games to change: some ids, or those that pass the filters.
fn selected(archive: &Archive, ids: &[String], filter: &FilterArgs) -> anyhow::Result<GameSet> {
    match (ids.is_empty(), filter.is_empty()) {
        (true, true) => bail!("no games were given: write their ids, or use filters (plybook help filters)"),
        (false, false) => bail!("ids cannot be combined with filters"),
        (false, true) => with_ids(archive, ids),
        (true, false) => {
            let filter = filter.filter(archive)?;
            tell_matched_events(archive, &filter)?;
            let games: GameSet = archive.list::<GameId>(&filter).collect::<Result<_, _>>()?;
            if games.is_empty() {
                bail!("no game matches the filters");
            }
            Ok(games)
        }
    }
}

/// The games with some ids, and those in ranges of ids.
fn with_ids(archive: &Archive, ids: &[String]) -> anyhow::Result<GameSet> {
    let mut games = Vec::new();
    for range in ids.iter().map(|ids| Filter::id_ranges(ids)).collect::<Result<Vec<_>, _>>()?.concat() {
        if range.start() == range.end() {
            archive.game(*range.start())?;
        }
        let filter = Filter { ids: Some(range), ..Filter::default() };
        for id in archive.list::<GameId>(&filter) {
            games.push(id?);
        }
    }
    let games: GameSet = games.into_iter().collect();
    if games.is_empty() { Err(anyhow!("the archive has no games with these ids")) } else { Ok(games) }
}

/// Asks on a terminal; elsewhere, `--yes` is needed.
fn confirm(yes: bool, question: &str) -> anyhow::Result<()> {
    if yes {
        return Ok(());
    }
    match ask(&format!("{question}? [y/N]"))?.as_deref() {
        None => bail!("this would {question}; to confirm, add --yes"),
        Some("y" | "Y" | "yes") => Ok(()),
        Some(_) => bail!("nothing has been changed"),
    }
}

/// Asks on a terminal; elsewhere there is no answer.
fn ask(question: &str) -> anyhow::Result<Option<String>> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Ok(None);
    }
    write!(stderr(), "plybook: {question} ")?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(Some(answer.trim().to_owned()))
}

/// The number of half-moves up to a ply of a game.
fn ply_of(archive: &Archive, id: GameId, ply: Ply) -> anyhow::Result<usize> {
    let game = archive.game(id)?;
    match game.kind.family().resolve(&game, ply)? {
        Some(ply) => Ok(ply),
        None => bail!("game {id} has no ply {ply}; it has {}", game.plies),
    }
}
