//! `plybook annotate`

use anyhow::bail;
use clap::{Args, value_parser};

use super::{
    ArchiveArg, ExitStatus, advice,
    filter::FilterArgs,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{ArchiveError, Filter},
    files::{Output, Protected},
    present::{Annotate, AnnotateOptions, PresentError},
    query::{Explorer, NoveltyOptions},
    record::{GameId, StoredGame},
};

/// Write games as PGN with what the archive knows of them
///
/// The opening stands as a comment behind the move to the last position that has a name, and in the tags ECO and Opening
/// where they say nothing. The first new move (see: plybook novelty) has the glyph $146, which programs show as N, and a
/// comment that names games that had the position before it. Comments, glyphs and variations of the games stay.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook annotate 1
  plybook annotate --player kasparov --date 1999 --references 3 -o kasparov.pgn
  plybook annotate --event 'candidates*' --keep-tags > candidates.pgn")]
pub(super) struct AnnotateArgs {
    /// The games by their ids [default: those that pass the filters]
    #[arg(value_name = "ID")]
    games: Vec<GameId>,
    /// Name so many games at a new move: those of the highest ratings, of equal ones the latest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(..=100))]
    references: u16,
    /// Compare with all other games, also with later ones
    #[arg(long)]
    any_date: bool,
    /// Leave the tags as they are
    #[arg(long)]
    keep_tags: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

impl AnnotateArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        if !self.games.is_empty() && !self.filter.is_empty() {
            bail!("filters, order and limit say which games: name none with them");
        }
        let explorer = Explorer::open(&self.archive.archive)?;
        let mut out = self.output.open(&Protected::default().archive(&self.archive.archive))?;
        let (written, failed) = self.write(&explorer, &mut out)?;
        if written > 0 {
            terminal::printed(out.finish().map_err(Into::into))?;
        } else if failed == 0 {
            terminal::tell("no game of chess passes the filter");
        }
        if !explorer.ask(|_, index| Ok(index.has_positions()))? {
            terminal::tell(advice::AFTER_SCAN);
        }
        Ok(ExitStatus::complete_if(written > 0 && failed == 0))
    }

    /// Gives the numbers of games written, and of those that could not be.
    fn write(&self, explorer: &Explorer, out: &mut Output) -> anyhow::Result<(u64, u64)> {
        let archive = self.archive.open()?;
        let novelty = NoveltyOptions { any_date: self.any_date, games: self.references.into() };
        let mut annotate = Annotate::new(explorer, AnnotateOptions { novelty, keep_tags: self.keep_tags });
        let progress = self.output.progress();
        let mut failed = 0;
        let mut fail = |error: anyhow::Error| {
            progress.suspend(|| terminal::tell_error("", &error));
            failed += 1;
        };
        let name = out.name().to_owned();
        let mut to = progress.wrap_write(out);
        let mut written = || -> anyhow::Result<()> {
            let mut add =
                |game: Result<StoredGame, ArchiveError>, fail: &mut dyn FnMut(anyhow::Error)| match game {
                    Ok(game) => annotate.add(game, &mut to, &mut |error| fail(error.into())),
                    Err(error @ (ArchiveError::Damaged { .. } | ArchiveError::NoSuchGame { .. })) => {
                        fail(error.into());
                        Ok(())
                    }
                    Err(error) => Err(error.into()),
                };
            if self.games.is_empty() {
                let mut filter: Filter = self.filter.filter(&archive)?;
                if filter.kind.is_some_and(|kind| !kind.family().has_pgn()) {
                    bail!("games of {} have no PGN", filter.kind.map_or("", |kind| kind.name()));
                }
                filter.chess = true;
                archive.games(&filter).try_for_each(|game| add(game, &mut fail))?;
            }
            self.games.iter().try_for_each(|&id| add(archive.game(id), &mut fail))?;
            annotate.write(&mut to, &mut |error| fail(error.into()))?;
            Ok(())
        };
        let ended = written();
        progress.finish_and_clear();
        match ended {
            Err(error)
                if error.downcast_ref().is_some_and(|error| matches!(error, PresentError::Write(_))) =>
            {
                terminal::printed(Err(error.context(name)))?;
            }
            ended => ended?,
        }
        Ok((annotate.written, failed))
    }
}
