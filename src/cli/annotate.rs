//! `plybook annotate`

use clap::{Args, value_parser};

use super::{
    ExitStatus,
    answer::AnswerArgs,
    archive_arg::{advise_index, open_explorer},
    requested_games::RequestedGames,
    terminal,
};
use crate::{
    files::Output,
    import::with_sources,
    present::{Annotate, AnnotateOptions, PresentError},
    query::{Explorer, NoveltyOptions},
};

/// Add openings and new moves to games, and write them as PGN
///
/// The opening is added as a comment after the move that reaches the last named position, and in the tags ECO and
/// Opening if these are missing or unknown. The first new move (see: plybook novelty) gets the glyph $146, which chess
/// programs show as N, and a comment that cites games that reached the position before it. Existing comments, glyphs
/// and variations are kept.
///
/// Examples:
/// * plybook annotate 1
/// * plybook annotate my_games.pgn -o annotated.pgn
/// * plybook annotate --player kasparov --date 1999 --references 3 -o kasparov.pgn
/// * plybook annotate --event 'candidates*' --keep-tags > candidates.pgn
#[derive(Debug, Args)]
pub(super) struct AnnotateArgs {
    /// Ids of games in the archive, or PGN files with games that are not in it; - reads standard input [default:
    /// the games of the archive that pass the filters]
    #[arg(value_name = "ID|FILE")]
    games: Vec<String>,
    /// Cite up to N games at a new move, highest rated first, then most recent
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(..=100))]
    references: u16,
    /// Compare with all other games, including later ones
    #[arg(long)]
    any_date: bool,
    /// Do not change the tags
    #[arg(long)]
    keep_tags: bool,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl AnnotateArgs {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let asked = RequestedGames::new(&self.games, &self.answer.filter)?;
        let explorer = open_explorer(&self.answer.archive)?;
        let protected = with_sources(self.answer.archive.protected(), &asked.files())?;
        let mut out = self.answer.output.open(&protected)?;
        let (written, failed) = self.write(&asked, &explorer, &mut out)?;
        if written > 0 {
            terminal::printed(out.finish().map_err(Into::into))?;
        }
        advise_index(!explorer.ask(|context| Ok(context.has_positions()))?);
        Ok(ExitStatus::complete_if(written > 0 && failed == 0))
    }

    /// Returns the number of games written and the number of games that failed.
    fn write(
        &self,
        asked: &RequestedGames<'_>,
        explorer: &Explorer,
        out: &mut Output,
    ) -> anyhow::Result<(u64, u64)> {
        let archive = self.answer.archive.open()?;
        let novelty = NoveltyOptions { any_date: self.any_date, games: self.references.into() };
        let mut annotate = Annotate::new(explorer, AnnotateOptions { novelty, keep_tags: self.keep_tags });
        let (progress, name) = (self.answer.output.progress(), out.name.clone());
        let mut to = progress.wrap_write(out);
        let mut written = || -> anyhow::Result<u64> {
            let failed = asked.for_each(&archive, &progress, &mut |game| Ok(annotate.add(game, &mut to)?))?;
            annotate.write(&mut to)?;
            Ok(failed)
        };
        let ended = written();
        progress.finish_and_clear();
        let is_write = |error: &anyhow::Error| matches!(error.downcast_ref(), Some(PresentError::Write(_)));
        let failed = match ended {
            Err(error) if is_write(&error) => {
                terminal::printed(Err(error.context(name)))?;
                0
            }
            ended => ended?,
        };
        Ok((annotate.written(), failed))
    }
}
