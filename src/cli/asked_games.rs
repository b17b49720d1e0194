//! Games that a command is asked about: by their ids, of files, or those of the archive that pass the filters.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    path::PathBuf,
};

use anyhow::bail;

use super::{filter::FilterArgs, terminal};
use crate::{
    archive::{Archive, Filter},
    import::read_games,
    pgn::ReadOptions,
    present::AskedGame,
    record::GameId,
};

/// Which games.
pub(super) enum AskedGames<'a> {
    Named(Vec<Named>),
    Filtered(&'a FilterArgs),
}

/// A game or a file that was named.
pub(super) enum Named {
    Id(GameId),
    File(PathBuf),
}

/// How many games there were.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    /// Games that were handed over.
    pub games: u64,
    /// Games that could not be read or are not there; they have been reported.
    pub failed: u64,
}

impl<'a> AskedGames<'a> {
    /// What the arguments of a command ask for.
    pub(super) fn new(named: &[String], filter: &'a FilterArgs) -> anyhow::Result<AskedGames<'a>> {
        if named.is_empty() {
            return Ok(AskedGames::Filtered(filter));
        }
        if !filter.is_empty() {
            bail!(
                "filters, order and limit are for the games of the archive: name no game or file with them"
            );
        }
        let read = |name: &String| match name.parse() {
            Ok(id) => Named::Id(id),
            Err(_) => Named::File(name.into()),
        };
        Ok(AskedGames::Named(named.iter().map(read).collect()))
    }

    /// Hands over the games in their order, until `each` breaks off; reports those that cannot be read.
    pub(super) fn for_each(
        &self,
        archive: &Archive,
        mut each: impl FnMut(AskedGame) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Counted> {
        let mut counted = Counted::default();
        match self {
            AskedGames::Filtered(filter) => {
                let mut filter = filter.filter(archive)?;
                if filter.kind.is_some_and(|kind| !kind.family().has_pgn()) {
                    bail!("this is about games of chess and its variants");
                }
                filter.chess = true;
                let _ = counted.stored(archive, &filter, &mut each)?;
                if counted.games + counted.failed == 0 {
                    terminal::tell("no game of chess passes the filter");
                }
            }
            AskedGames::Named(named) => {
                for named in named {
                    let done = match named {
                        Named::Id(id) => counted.by_id(archive, *id, &mut each)?,
                        Named::File(path) => counted.file(path, &mut each)?,
                    };
                    if done.is_break() {
                        break;
                    }
                }
            }
        }
        Ok(counted)
    }
}

type Each<'a> = &'a mut dyn FnMut(AskedGame) -> anyhow::Result<ControlFlow<()>>;

impl Counted {
    fn fail(&mut self, of: impl std::fmt::Display, error: &anyhow::Error) {
        terminal::tell_error(of, error);
        self.failed += 1;
    }

    fn stored(
        &mut self,
        archive: &Archive,
        filter: &Filter,
        each: Each<'_>,
    ) -> anyhow::Result<ControlFlow<()>> {
        for game in archive.summaries_and_moves(filter) {
            let (summary, moves) = game?;
            let id = summary.id;
            let game = match moves {
                Some(moves) => AskedGame::of_archive(summary, &moves),
                // Not of chess, or its layout makes no sense: what it is, is found out when it is read.
                None => {
                    let game = archive.game(id);
                    let why = match &game {
                        Ok(game) => game.variant().err().map(anyhow::Error::from),
                        Err(_) => None,
                    };
                    match (why, game) {
                        (Some(why), _) => self.fail("", &why),
                        (None, Err(error)) => self.fail("", &error.into()),
                        (None, Ok(_)) => {}
                    }
                    continue;
                }
            };
            match game {
                Ok(game) => {
                    self.games += 1;
                    if each(game)?.is_break() {
                        return Ok(Break(()));
                    }
                }
                Err(error) => self.fail("", &error.into()),
            }
        }
        Ok(Continue(()))
    }

    fn by_id(&mut self, archive: &Archive, id: GameId, each: Each<'_>) -> anyhow::Result<ControlFlow<()>> {
        let before = self.games + self.failed;
        let done = self.stored(archive, &Filter { ids: Some(id..=id), ..Filter::default() }, each)?;
        if self.games + self.failed == before
            && let Err(error) = archive.game(id)
        {
            self.fail("", &error.into());
        }
        Ok(done)
    }

    fn file(&mut self, path: &PathBuf, each: Each<'_>) -> anyhow::Result<ControlFlow<()>> {
        let (before, mut failed) = (self.games + self.failed, None);
        let is_whole =
            read_games(std::slice::from_ref(path), ReadOptions::default(), &mut |read| match &read.game {
                Ok(game) => {
                    self.games += 1;
                    match each(AskedGame::of_pgn(&read, game)) {
                        Ok(done) => done,
                        Err(error) => {
                            failed = Some(error);
                            Break(())
                        }
                    }
                }
                Err(reason) => {
                    let error = anyhow::anyhow!("{reason}");
                    self.fail(format_args!("{} {}: ", read.source, read.location), &error);
                    Continue(())
                }
            })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if self.games + self.failed == before {
            bail!("{}: there is no game in it", path.display());
        }
        Ok(if is_whole { Continue(()) } else { Break(()) })
    }
}
