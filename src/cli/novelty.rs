//! `plybook novelty` and `plybook annotate`, and the games that they work on: given by id, read from files, or the
//! games of the archive that pass the filters

use std::{
    io::{IsTerminal, stdout},
    ops::ControlFlow::{self, Break, Continue},
    path::PathBuf,
};

use anyhow::{anyhow, bail};
use clap::{Args, value_parser};
use indicatif::ProgressBar;

use super::{
    ExitStatus,
    answer::{AnswerArgs, lists},
    archive_arg::{advise_index, open_explorer},
    filter::FilterArgs,
    terminal,
};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    files::{Output, Protected},
    import::{ReadGame, read_games, with_sources},
    pgn::{Game, ReadOptions},
    present::{
        Annotate, AnnotateOptions, GameToAnnotate, PresentError,
        list::{ListFormat, ListOptions},
        novelty::{NoveltyList, RequestedGame},
    },
    query::{Explorer, NoveltyOptions},
    record::{GameId, StoredMoves},
};

/// Find the first new move (novelty) of games
///
/// A novelty is the first move after which no earlier game has reached the position, by any move order. Games are
/// compared in the order of "games --sort date": unknown parts of a date sort first, games of the same date are ordered
/// by id, and games without a date come last. "known" is the number of earlier games that reached the position before
/// the new move, or the final position if all positions are known.
///
/// Examples:
/// * plybook novelty 1 2 3
/// * plybook novelty --player kasparov --date 1999 --format csv > new.csv
/// * plybook novelty my_games.pgn --games 5
/// * plybook novelty --event 'candidates*' --any-date
#[derive(Debug, Args)]
pub(super) struct Novelty {
    /// Ids of games in the archive, or PGN files with games that are not in it; - reads standard input [default:
    /// the games of the archive that pass the filters]
    #[arg(value_name = "ID|FILE")]
    games: Vec<String>,
    /// Compare with all other games, including later ones
    #[arg(long)]
    any_date: bool,
    /// List up to N earlier games with the position, highest rated first, then most recent
    #[arg(long = "games", value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(..=100))]
    named: u16,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", help_heading = "Output")]
    format: &'static ListFormat,
    /// CSV: prefix cells that a spreadsheet would treat as a formula (= + - @, tab, CR) with an apostrophe
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    answer: AnswerArgs,
}

impl Novelty {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let asked = RequestedGames::new(&self.games, &self.answer.filter)?;
        // A missing file is reported when its turn comes.
        let with_file =
            |all: Protected, file| with_sources(all.clone(), std::slice::from_ref(file)).unwrap_or(all);
        let protected = asked.files().iter().fold(self.answer.archive.protected(), with_file);
        protected.check_stdout()?;
        let explorer = open_explorer(&self.answer.archive)?;
        let archive = self.answer.archive.open()?;
        let options = NoveltyOptions { any_date: self.any_date, games: self.named.into() };
        let mut out = self.answer.output.open(&protected)?;
        let list = ListOptions { spreadsheet: self.spreadsheet, ..self.answer.output.list_options() };
        let mut list = NoveltyList::new(&explorer, options, self.format, list, &mut out)?;
        // Rows are printed while games are compared; on a terminal they would interfere with the progress bar.
        let is_shown = !stdout().is_terminal();
        let bar = if is_shown { terminal::games_counter() } else { ProgressBar::hidden() };
        let mut is_begun = false;
        let counted = asked.for_each(&archive, &bar, &mut |game| {
            is_begun = true;
            Ok(list.add(game, &mut terminal::watch(bar.clone()))?)
        });
        let counted = match counted {
            Err(error) if !is_begun => return Err(error),
            // If a file cannot be read, the rows of the games before it are still printed.
            counted => counted,
        };
        let Some(written) = list.end(&mut terminal::watch(bar.clone()))? else { bail!("stopped") };
        bar.finish_and_clear();
        out.finish()?;
        let failed = counted?;
        if !explorer.ask(|_, index| Ok(index.has_positions()))? {
            advise_index();
        }
        Ok(ExitStatus::complete_if(written > 0 && failed == 0))
    }
}

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
        if !explorer.ask(|_, index| Ok(index.has_positions()))? {
            advise_index();
        }
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
        let (progress, name) = (self.answer.output.progress(), out.name().to_owned());
        let mut to = progress.wrap_write(out);
        let mut written = || -> anyhow::Result<u64> {
            let failed = asked.for_each(&archive, &progress, &mut |game| {
                annotate.add(game, &mut to)?;
                Ok(Continue(()))
            })?;
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

/// A game of the archive, or the reason why it is skipped.
type StoredResult<T> = Result<anyhow::Result<T>, ArchiveError>;

/// A chess game in the form that a command needs.
pub(super) trait GamesRequest: Sized {
    /// The games of the archive that pass a filter. A damaged game, or one that is not chess, gives the reason why
    /// it is skipped.
    fn stored(archive: &Archive, filter: &Filter) -> impl Iterator<Item = StoredResult<Self>>;

    /// A game that was read from a file and is not in the archive.
    fn of_pgn(read: &ReadGame, game: &Game) -> Self;
}

impl GamesRequest for RequestedGame {
    fn stored(archive: &Archive, filter: &Filter) -> impl Iterator<Item = StoredResult<RequestedGame>> {
        let asked = |(summary, moves): (Summary, Option<StoredMoves>)| match moves {
            Some(moves) => RequestedGame::of_archive(summary, &moves).map_err(anyhow::Error::from),
            // Not a chess game, or stored in a layout that makes no sense: reading the complete game gives the
            // reason.
            None => Err(match archive.game(summary.id) {
                Ok(game) => match game.variant() {
                    Ok(_) => anyhow!("game {} cannot be read", summary.id),
                    Err(why) => why.into(),
                },
                Err(error) => error.into(),
            }),
        };
        archive.list::<(Summary, Option<StoredMoves>)>(filter).map(move |game| game.map(asked))
    }

    fn of_pgn(read: &ReadGame, game: &Game) -> RequestedGame {
        RequestedGame::of_pgn(format!("{}:{}", read.source, read.location.game), game)
    }
}

impl GamesRequest for GameToAnnotate {
    fn stored(archive: &Archive, filter: &Filter) -> impl Iterator<Item = StoredResult<GameToAnnotate>> {
        archive.games(filter).map(|game| match game {
            Ok(game) => Ok(GameToAnnotate::of_archive(&game).map_err(anyhow::Error::from)),
            Err(error @ ArchiveError::Damaged { .. }) => Ok(Err(error.into())),
            Err(error) => Err(error),
        })
    }

    fn of_pgn(_: &ReadGame, game: &Game) -> GameToAnnotate {
        GameToAnnotate::of_pgn(game)
    }
}

/// The requested games: some ids and files, or those that pass the filters.
pub(super) struct RequestedGames<'a> {
    named: &'a [String],
    filter: &'a FilterArgs,
}

/// Called for each game; may end the loop.
type Each<'a, T> = &'a mut dyn FnMut(T) -> anyhow::Result<ControlFlow<()>>;

impl<'a> RequestedGames<'a> {
    /// Checks the arguments of a command.
    pub(super) fn new(named: &'a [String], filter: &'a FilterArgs) -> anyhow::Result<RequestedGames<'a>> {
        if !named.is_empty() && !filter.is_empty() {
            bail!(
                "filters, order and limit cannot be combined with ids or files; they choose among the games of the archive"
            );
        }
        Ok(RequestedGames { named, filter })
    }

    /// The files that were given.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.named.iter().filter(|name| name.parse::<GameId>().is_err()).map(PathBuf::from).collect()
    }

    /// Passes the games to `each` in order until it stops. Games that cannot be read are reported above the
    /// progress bar. Returns how many those are.
    pub(super) fn for_each<T: GamesRequest>(
        &self,
        archive: &Archive,
        progress: &ProgressBar,
        each: Each<'_, T>,
    ) -> anyhow::Result<u64> {
        let mut reading = GameQueue { archive, progress, games: 0, failed: 0 };
        if self.named.is_empty() {
            let mut chosen = self.filter.before_sample(archive)?;
            if chosen.kind.is_some_and(|kind| !kind.family().has_pgn()) {
                bail!("this command supports only games that have PGN: chess and its variants");
            }
            chosen.chess = true;
            let _ = reading.stored(&self.filter.sampled(archive, chosen)?, each)?;
            if reading.games + reading.failed == 0 {
                terminal::tell("no chess game matches the filters");
            }
        }
        for name in self.named {
            let done = match name.parse() {
                Ok(id) => reading.by_id(id, each)?,
                Err(_) => reading.file(&name.into(), each)?,
            };
            if done.is_break() {
                break;
            }
        }
        Ok(reading.failed)
    }
}

/// The state of a loop over the games.
struct GameQueue<'a> {
    archive: &'a Archive,
    progress: &'a ProgressBar,
    /// Games passed to `each`.
    games: u64,
    /// Games that were not found or could not be read; they have been reported.
    failed: u64,
}

impl GameQueue<'_> {
    fn fail(&mut self, of: impl std::fmt::Display, error: &anyhow::Error) {
        self.progress.suspend(|| terminal::tell_error(of, error));
        self.failed += 1;
    }

    fn stored<T: GamesRequest>(
        &mut self,
        filter: &Filter,
        each: Each<'_, T>,
    ) -> anyhow::Result<ControlFlow<()>> {
        for game in T::stored(self.archive, filter) {
            match game? {
                Ok(game) => {
                    self.games += 1;
                    if each(game)?.is_break() {
                        return Ok(Break(()));
                    }
                }
                Err(error) => self.fail("", &error),
            }
        }
        Ok(Continue(()))
    }

    fn by_id<T: GamesRequest>(&mut self, id: GameId, each: Each<'_, T>) -> anyhow::Result<ControlFlow<()>> {
        let before = self.games + self.failed;
        let done = self.stored(&Filter { ids: Some(id..=id), ..Filter::default() }, each)?;
        if self.games + self.failed == before
            && let Err(error) = self.archive.game(id)
        {
            self.fail("", &error.into());
        }
        Ok(done)
    }

    fn file<T: GamesRequest>(
        &mut self,
        path: &PathBuf,
        each: Each<'_, T>,
    ) -> anyhow::Result<ControlFlow<()>> {
        let (before, mut failed) = (self.games + self.failed, None);
        let is_whole =
            read_games(std::slice::from_ref(path), ReadOptions::default(), &mut |read| match &read.game {
                Ok(game) => {
                    self.games += 1;
                    match each(T::of_pgn(&read, game)) {
                        Ok(done) => done,
                        Err(error) => {
                            failed = Some(error);
                            Break(())
                        }
                    }
                }
                Err(reason) => {
                    let error = anyhow!("{reason}");
                    self.fail(format_args!("{} {}: ", read.source, read.location), &error);
                    Continue(())
                }
            })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if self.games + self.failed == before {
            bail!("{}: no game found in this file", path.display());
        }
        Ok(if is_whole { Continue(()) } else { Break(()) })
    }
}
