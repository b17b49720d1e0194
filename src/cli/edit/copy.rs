//! `plybook copy`

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::{FilterArgs, selected, tell_of_log, terminal};
use crate::{
    archive::{Archive, CopyRange},
    cli::OneArchiveArg,
    counts::GAMES,
    files::{AtomicFile, Destination},
    printable,
};

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
        let (part, kept) =
            Archive::read_one_state(|| self.archive.open(), |archive| self.copy_from(archive))?;
        part.keep()?;
        tell_of_log([self.archive.archive.as_path()]);
        let answer = format!("{}: {}", self.output.display(), GAMES.count(kept));
        Ok(terminal::print(printable::line(&answer))?)
    }

    /// Copies the games into a temporary file. Returns it, and the number of games.
    fn copy_from(&self, archive: &Archive) -> anyhow::Result<(AtomicFile, u64)> {
        let games = selected(archive, &self.ids, &self.filter)?;
        let (Some(first), Some(last)) = (games.ids().first(), games.ids().last()) else { bail!("no games") };
        let part = Destination::of(&self.output, &self.archive.protected())?.begin(&self.output, false)?;
        let range = CopyRange { first: *first, last: *last, all_sources: false };
        let bar = terminal::games_bar(games.len() as u64);
        let keep = |id, _| Ok(games.contains(id));
        let kept = archive.maintenance().copy_to(&part.path, range, keep, terminal::watch(bar))?;
        Ok((part, kept.unwrap_or(0)))
    }
}
