//! The games that a command works on: given by id, read from files, or the games of the archive that pass the
//! filters.

use std::{
    ops::ControlFlow::{Break, Continue},
    path::PathBuf,
};

use anyhow::{anyhow, bail};
use indicatif::ProgressBar;

use super::{filter::FilterArgs, terminal};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    import::{ReadGame, read_games},
    pgn::{Game, ReadOptions},
    present::{GameToAnnotate, novelty::RequestedGame},
    record::{GameId, StoredMoves},
};

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

/// Called for each game.
type Each<'a, T> = &'a mut dyn FnMut(T) -> anyhow::Result<()>;

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
        let mut reading = GameQueue { archive, progress, each, games: 0, failed: 0 };
        if self.named.is_empty() {
            let mut chosen = self.filter.before_sample(archive)?;
            if chosen.kind.is_some_and(|kind| !kind.family().has_pgn()) {
                bail!("this command supports only games that have PGN: chess and its variants");
            }
            chosen.chess = true;
            reading.stored(&self.filter.sampled(archive, chosen)?)?;
            if reading.games + reading.failed == 0 {
                terminal::tell("no chess game matches the filters");
            }
        }
        for name in self.named {
            match name.parse() {
                Ok(id) => reading.by_id(id)?,
                Err(_) => reading.file(&name.into())?,
            }
        }
        Ok(reading.failed)
    }
}

/// The state of a loop over the games.
struct GameQueue<'a, T> {
    archive: &'a Archive,
    progress: &'a ProgressBar,
    each: Each<'a, T>,
    /// Games passed to `each`.
    games: u64,
    /// Games that were not found or could not be read; they have been reported.
    failed: u64,
}

impl<T: GamesRequest> GameQueue<'_, T> {
    fn fail(&mut self, of: impl std::fmt::Display, error: &anyhow::Error) {
        self.progress.suspend(|| terminal::tell_error(of, error));
        self.failed += 1;
    }

    fn stored(&mut self, filter: &Filter) -> anyhow::Result<()> {
        for game in T::stored(self.archive, filter) {
            match game? {
                Ok(game) => {
                    self.games += 1;
                    (self.each)(game)?;
                }
                Err(error) => self.fail("", &error),
            }
        }
        Ok(())
    }

    fn by_id(&mut self, id: GameId) -> anyhow::Result<()> {
        let before = self.games + self.failed;
        self.stored(&Filter { ids: Some(id..=id), ..Filter::default() })?;
        if self.games + self.failed == before
            && let Err(error) = self.archive.game(id)
        {
            self.fail("", &error.into());
        }
        Ok(())
    }

    fn file(&mut self, path: &PathBuf) -> anyhow::Result<()> {
        let (before, mut failed) = (self.games + self.failed, None);
        read_games(std::slice::from_ref(path), ReadOptions::default(), &mut |read| match &read.game {
            Ok(game) => {
                self.games += 1;
                match (self.each)(T::of_pgn(&read, game)) {
                    Ok(()) => Continue(()),
                    Err(error) => {
                        failed = Some(error);
                        Break(())
                    }
                }
            }
            Err(reason) => {
                self.fail(format_args!("{} {}: ", read.source, read.location), &reason.clone().into());
                Continue(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if self.games + self.failed == before {
            bail!("{}: no game found in this file", path.display());
        }
        Ok(())
    }
}
