//! The positions of one game in the other games of an indexed archive.

use super::{ComparedGame, EarlierGames, Novelty, Others, not_indexed};
use crate::{
    archive::{Archive, ArchiveError},
    chess::Board,
    query::{PositionIndex, indexed::Walk},
};

/// Looks up the positions of a game in other games, with the index alone.
pub struct OtherGames<'a> {
    walk: Walk<'a>,
    boards: Vec<Board>,
}

impl<'a> OtherGames<'a> {
    /// The other games, or only earlier ones; `None` unless all games that can share a position are indexed.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn new(
        archive: &'a Archive,
        index: &'a PositionIndex,
        game: &'a ComparedGame,
        any_date: bool,
    ) -> Result<Option<OtherGames<'a>>, ArchiveError> {
        if !index.has_positions() || !not_indexed(index, game).is_empty() {
            return Ok(None);
        }
        let walk = index.walk(archive, game, Others::of(game, any_date))?;
        Ok(Some(OtherGames { walk, boards: game.boards().collect() }))
    }

    /// Whether one of them reaches the position after some plies of the game.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn reach(&mut self, ply: usize) -> Result<bool, ArchiveError> {
        let Some(board) = self.boards.get(ply) else { return Ok(false) };
        self.walk.knows(ply, board)
    }

    /// The ply of the first move to a position that none of them reaches, among the first `plies`.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn first_new(&mut self, plies: usize) -> Result<Option<usize>, ArchiveError> {
        for ply in 1..self.boards.len().min(plies.saturating_add(1)) {
            if !self.reach(ply)? {
                return Ok(Some(ply));
            }
        }
        Ok(None)
    }

    /// Those that reach the position after some plies, of which `most` are named.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn at(&mut self, ply: usize, most: usize) -> Result<Novelty, ArchiveError> {
        let mut known = EarlierGames::naming(most);
        if let Some(board) = self.boards.get(ply) {
            self.walk.add_known(ply, board, &mut known)?;
        }
        Ok(Novelty { ply: None, games: known.games, best: known.best() })
    }
}
