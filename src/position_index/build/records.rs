//! The positions of the games of a segment while it is built, game by game.

use std::{io, path::Path};

use super::{
    spill::Spill,
    visits::{POSITION, Visit, read_positions},
};
use crate::record::GameId;

/// Bytes of positions that are kept in memory.
const IN_MEMORY: usize = 16 << 20;

/// Bytes of the head of a game: its id, and how many positions it has.
const HEAD: usize = 12;

/// The positions of games.
#[derive(Debug)]
pub struct Records(Spill);

/// Games that are kept together.
#[derive(Debug, Default)]
pub struct Batch(Vec<u8>);

impl Batch {
    /// Adds a game.
    pub fn push(&mut self, id: GameId, positions: &[u8]) {
        self.0.reserve(HEAD + positions.len());
        self.0.extend(id.to_le_bytes());
        self.0.extend(((positions.len() / POSITION) as u32).to_le_bytes());
        self.0.extend_from_slice(positions);
    }
}

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
    pub fn add(&self, batch: Batch) -> io::Result<()> {
        self.0.add(batch.0)
    }

    /// Goes through all games on all cores. `each` adds to a sum of its own; the sums come back in no order.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, GameId, &[Visit]) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<T>> {
        let new = || (new(), Vec::new());
        let folded = self.0.fold(new, |(sum, visits), bytes| {
            games(bytes).try_for_each(|(id, game)| {
                read_positions(game, visits);
                each(sum, id, visits)
            })
        })?;
        Ok(folded.into_iter().map(|(sum, _)| sum).collect())
    }
}

/// The games of a batch: ids, and positions as bytes.
fn games(mut bytes: &[u8]) -> impl Iterator<Item = (GameId, &[u8])> {
    std::iter::from_fn(move || {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let [a, b, c, d, e, f, g, h, count @ ..] = *head;
        let (id, count) = (GameId::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count));
        let game;
        (game, bytes) = rest.split_at(rest.len().min(count as usize * POSITION));
        Some((id, game))
    })
}
