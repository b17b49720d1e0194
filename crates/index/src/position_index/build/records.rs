//! The positions of the games of a segment while it is being built, game by game.

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
    /// Empty; data that does not fit in memory is written to an unnamed file in a directory.
    pub fn new(folder: &Path) -> Records {
        Records(Spill::new(folder, IN_MEMORY))
    }

    /// The directory of that file.
    pub fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// Adds games.
    pub fn add(&self, games: Vec<u8>) -> io::Result<()> {
        if games.is_empty() { Ok(()) } else { self.0.add(games) }
    }

    /// Processes all games on all cores. `each` adds to an accumulator; the accumulators are returned in any order.
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
