//! Changes of many games: `plybook tag` and `plybook remove`; and `plybook copy`

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::{FilterArgs, ManyGamesArgs, selected, tell_of_log, terminal};
use crate::{
    archive::CopyRange, cli::OneArchiveArg, counts::GAMES, edit::TagEdit, files::Destination, printable,
};

/// Set or delete tags of games
///
/// Name=Value sets a tag, Name= deletes it. The start position and the moves cannot be changed in this way; see "plybook
/// help edit".
///
/// Examples:
/// * plybook tag 17 White='Carlsen, Magnus' WhiteElo=2864
/// * plybook tag --event 'Wijk aan Zee*' Event='Tata Steel Masters' --dry-run
/// * plybook tag 17 Annotator=
#[derive(Debug, Args)]
pub(in crate::cli) struct Tag {
    /// Ids of games [default: the games that pass the filters], and the tags to set
    #[arg(value_name = "ID|NAME=VALUE", required = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    many: ManyGamesArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

impl Tag {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let (tags, ids): (Vec<_>, Vec<_>) =
            self.arguments.iter().cloned().partition(|argument| argument.contains('='));
        let edits: Vec<TagEdit> = tags
            .iter()
            .map(|tag| tag.parse())
            .collect::<Result<_, String>>()
            .map_err(|error| anyhow!(error))?;
        if edits.is_empty() {
            bail!("no tag was given; write it as Name=Value, or Name= to delete it");
        }
        let mut editor = self.many.change.archive.open_to_change()?;
        let games = self.many.selected(editor.archive(), &ids, &self.filter, "change")?;
        let bar = terminal::games_bar(games.len() as u64);
        self.many.change.make(&mut editor, ("changed", "change"), |change| {
            Ok(change.edit(&games, |game| TagEdit::apply(&edits, game), terminal::watch(bar))?)
        })?;
        Ok(())
    }
}

/// Remove games from an archive
///
/// The ids of the games are not used again. A later import of the same source does not bring the games back, unless it
/// has the option --again. "plybook undo" restores them; "plybook compact" frees their space.
///
/// Examples:
/// * plybook remove 17 20..25
/// * plybook remove --source old.pgn --dry-run
/// * plybook remove --plies ..5 --yes
#[derive(Debug, Args)]
pub(in crate::cli) struct Remove {
    /// Ids of games, or ranges of ids [default: the games that pass the filters]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    #[command(flatten)]
    many: ManyGamesArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

impl Remove {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let mut editor = self.many.change.archive.open_to_change()?;
        let games = self.many.selected(editor.archive(), &self.ids, &self.filter, "remove")?;
        let bar = terminal::games_bar(games.len() as u64);
        self.many.change.make(&mut editor, ("removed", "remove"), |change| {
            Ok(change.remove(&games, terminal::watch(bar))?)
        })?;
        Ok(())
    }
}

/// Copy games to a new archive
///
/// The games keep their tags, moves, comments, original texts and sources, and get new ids in the same order. The new
/// archive has no log of changes and no index.
///
/// Examples:
/// * plybook copy --player kasparov -o kasparov.db
/// * plybook copy 1..100 205 -o some.db
/// * plybook copy --date 2020.. -o recent.db && plybook index -a recent.db
#[derive(Debug, Args)]
pub(in crate::cli) struct Copy {
    /// Ids of games, or ranges of ids [default: the games that pass the filters]
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// New archive file; must not exist
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    archive: OneArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

impl Copy {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        let games = selected(&archive, &self.ids, &self.filter)?;
        let (Some(first), Some(last)) = (games.ids().first(), games.ids().last()) else { bail!("no games") };
        let part = Destination::of(&self.output, &self.archive.protected())?.begin(&self.output, false)?;
        let range = CopyRange { first: *first, last: *last, all_sources: false };
        let bar = terminal::games_bar(games.len() as u64);
        let keep = |id, _| Ok(games.contains(id));
        let kept = archive.maintenance().copy_to(part.path(), range, keep, terminal::watch(bar))?;
        part.keep()?;
        tell_of_log([archive.path()]);
        let answer = format!("{}: {}", self.output.display(), GAMES.count(kept.unwrap_or(0)));
        Ok(terminal::print(printable::line(&answer))?)
    }
}
