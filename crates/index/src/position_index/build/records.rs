//! The positions of the games of a segment while it is built, game by game.

use std::{io, path::Path};

use super::{
    recorded::stored_games,
    spill::Spill,
    visits::{Visit, read_positions},
};
use plybook_record::GameId;

/// Bytes of positions that are kept in memory.
const IN_MEMORY: usize = 16 << 20;

/// The positions of games.
#[derive(Debug)]
pub struct Records(Spill);

impl Records {
    /// Nothing yet; what does not fit in memory goes to a file without a name in a folder.
    pub fn new(folder: &Path) -> Records {
        Records(Spill::new(folder, IN_MEMORY))
    }

    /// Where that file is.
    pub fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// Keeps some games.
    pub fn add(&self, games: Vec<u8>) -> io::Result<()> {
        if games.is_empty() { Ok(()) } else { self.0.add(games) }
    }

    /// Goes through all games on all cores. `each` adds to a sum of its own; the sums come back in no order.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, GameId, &[Visit]) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<T>> {
        let new = || (new(), Vec::new());
        let folded = self.0.fold(new, |(sum, visits), bytes| {
            stored_games(bytes).try_for_each(|(id, game)| {
                read_positions(game, visits);
                each(sum, id, visits)
            })
        })?;
        Ok(folded.into_iter().map(|(sum, _)| sum).collect())
    }
}
