//! The entries of each game outside popular positions, kept until arrangements have been counted: only after all games
//! is it known whether an arrangement finds too many.

use std::{io, path::Path};

use super::{
    sketch::Often,
    spill::{IN_MEMORY, Spill},
};
use crate::position_index::keys::whole_hash;

/// Bytes of a chunk.
const TOGETHER: usize = 1 << 18;

/// Bytes of a game's header: its sort position, and the numbers of words of both kinds.
const HEAD: usize = 12;

/// The entries of games.
#[derive(Debug)]
pub struct Entries(Spill);

/// The entries of a game, as hashes. Reused from game to game.
#[derive(Debug, Default)]
pub struct GameEntries {
    /// Final entries.
    certain: Vec<u64>,
    /// Arrangements, each with the number of its positions and their hashes: one of the two will be entered.
    arrangements: Vec<u64>,
    /// The number of arrangements.
    count: u64,
}

impl GameEntries {
    /// Clears the buffers.
    pub fn clear(&mut self) {
        self.certain.clear();
        self.arrangements.clear();
        self.count = 0;
    }

    /// Adds an entry, by its hash.
    pub fn push(&mut self, hash: u64) {
        self.certain.push(hash);
    }

    /// Adds an entry for an arrangement, or for each of its positions.
    pub fn push_arrangement(&mut self, hash: u64, positions: impl ExactSizeIterator<Item = u64>) {
        self.arrangements.extend([hash, positions.len() as u64]);
        self.arrangements.extend(positions);
        self.count += 1;
    }

    /// The number of entries, if every arrangement is entered as such.
    pub fn count(&self) -> u64 {
        self.certain.len() as u64 + self.count
    }

    /// Appends the hashes of the arrangements.
    pub fn arrangements(&self, hashes: &mut Vec<u64>) {
        hashes.extend(arrangements(&self.arrangements).map(|(hash, _)| hash));
    }
}

/// Arrangements and their positions.
fn arrangements(mut words: &[u64]) -> impl Iterator<Item = (u64, &[u64])> {
    std::iter::from_fn(move || {
        let (&[hash, count], rest) = words.split_first_chunk()?;
        let positions;
        (positions, words) = rest.split_at(rest.len().min(count as usize));
        Some((hash, positions))
    })
}

impl Entries {
    /// Empty; data that does not fit in memory is written to an unnamed file in a directory.
    pub fn new(folder: &Path) -> Entries {
        Entries(Spill::new(folder, IN_MEMORY))
    }

    /// Adds a game by its sort position. `batch` is one thread's buffer, which is stored when it is long enough.
    pub fn add(&self, batch: &mut Vec<u8>, rank: u32, game: &GameEntries) -> io::Result<()> {
        let GameEntries { certain, arrangements, .. } = game;
        batch.reserve(HEAD + 8 * (certain.len() + arrangements.len()));
        for number in [rank, certain.len() as u32, arrangements.len() as u32] {
            batch.extend_from_slice(&number.to_le_bytes());
        }
        for word in certain.iter().chain(arrangements) {
            batch.extend_from_slice(&word.to_le_bytes());
        }
        if batch.len() < TOGETHER { Ok(()) } else { self.keep(std::mem::take(batch)) }
    }

    /// Adds positions by their whole keys, each with the sort position of a game.
    pub fn add_positions(&self, positions: &[(u64, u32)]) -> io::Result<()> {
        let (mut batch, mut entry) = (Vec::new(), GameEntries::default());
        for &(key, rank) in positions {
            entry.clear();
            entry.push(whole_hash(key));
            self.add(&mut batch, rank, &entry)?;
        }
        self.keep(batch)
    }

    /// Stores a buffer.
    pub fn keep(&self, batch: Vec<u8>) -> io::Result<()> {
        self.0.add(batch)
    }

    /// Processes all entries (sort position and hash) on all cores. If many games have an arrangement, its positions
    /// are entered instead. `each` adds to an accumulator; the accumulators are returned in any order.
    pub fn fold<T: Send>(
        &self,
        common: &Often,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, u32, u64) + Sync,
    ) -> io::Result<Vec<T>> {
        let new = || (new(), Vec::new());
        let folded = self.0.fold(new, |(sum, words), mut bytes| {
            while let Some((rank, certain)) = read_game(&mut bytes, words) {
                let (certain, others) = words.split_at(certain);
                certain.iter().for_each(|&hash| each(sum, rank, hash));
                for (hash, positions) in arrangements(others) {
                    if common.may_have(hash) {
                        positions.iter().for_each(|&hash| each(sum, rank, hash));
                    } else {
                        each(sum, rank, hash);
                    }
                }
            }
            Ok(())
        })?;
        Ok(folded.into_iter().map(|(sum, _)| sum).collect())
    }
}

/// Reads the words of a game. Returns its sort position, and the number of final entries.
fn read_game(bytes: &mut &[u8], words: &mut Vec<u64>) -> Option<(u32, usize)> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let (numbers, _) = head.as_chunks::<4>();
    let [rank, certain, others] = [0, 1, 2].map(|at| numbers.get(at).map_or(0, |&n| u32::from_le_bytes(n)));
    let count = certain as usize + others as usize;
    let (game, rest) = rest.split_at(rest.len().min(8 * count));
    *bytes = rest;
    words.clear();
    words.extend(game.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)));
    Some((rank, (certain as usize).min(words.len())))
}
