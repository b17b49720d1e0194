//! A position as the command line takes it: a FEN, moves from the start, or a place in a game of an archive.

use std::cell::OnceCell;

use anyhow::{Context, bail};

use super::ArchiveArg;
use crate::{
    archive::{Archive, GameId},
    chess::{Chess, Fen, Position, Setup, move_list},
    query::Ply,
};
use shakmaty::EnPassantMode;

/// What a command line may say for a position.
pub(super) const HELP: &str = "\
A position is a FEN (its last fields may be missing), moves from the start ('1. e4 c5' or 'e2e4 c7c5'), or
GAME:PLY of an archive (3:12w is the position of game 3 after White's 12th move; see: plybook show --help).";

/// Reads positions; opens the archive when one first asks for it.
pub(super) struct Places {
    path: ArchiveArg,
    archive: OnceCell<Archive>,
}

impl Places {
    pub(super) fn new(path: ArchiveArg) -> Places {
        Places { path, archive: OnceCell::new() }
    }

    /// The position that a text says.
    pub(super) fn read(&self, text: &str) -> anyhow::Result<Setup> {
        let text = text.trim();
        let first = text.split_whitespace().next().context("there is no position")?;
        if first.matches('/').count() > 2 {
            let fen: Fen = text.parse().with_context(|| format!("{text:?} is no FEN"))?;
            return Ok(fen.into_setup());
        }
        match text.split_once(':') {
            Some((id, ply)) => self.of_game(id, ply),
            None => of_moves(text),
        }
    }

    fn of_game(&self, id: &str, ply: &str) -> anyhow::Result<Setup> {
        let Ok(id) = id.parse::<GameId>() else { bail!("{id:?} is no game's id") };
        let position = self.archive()?.game(id)?.position_at(ply.parse::<Ply>()?)?;
        Ok(position.to_setup(EnPassantMode::Always))
    }

    fn archive(&self) -> anyhow::Result<&Archive> {
        if let Some(archive) = self.archive.get() {
            return Ok(archive);
        }
        let archive = self.path.open()?;
        Ok(self.archive.get_or_init(|| archive))
    }
}

/// The position after some moves from the start.
fn of_moves(text: &str) -> anyhow::Result<Setup> {
    let (_, moves) = move_list(text).with_context(|| format!("{text:?} is no position"))?;
    let mut position = Chess::new();
    for m in moves {
        position.play_unchecked(m);
    }
    Ok(position.to_setup(EnPassantMode::Always))
}

/// The FEN of a position.
pub(super) fn fen(setup: Setup) -> anyhow::Result<String> {
    let fen = Fen::try_from_setup(setup).ok().context("FEN cannot say these castling rights")?;
    Ok(fen.to_string())
}
