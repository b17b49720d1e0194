//! What each game is found by, apart from popular positions, while it waits for the count of arrangements: whether an
//! arrangement finds too many games is known when all games have been gone through.

use std::{io, path::Path};

use super::{sketch::Often, spill::Spill};

/// Bytes of entries that are kept in memory.
const IN_MEMORY: usize = 4 << 20;

/// Bytes that are kept together.
const TOGETHER: usize = 1 << 18;

/// Bytes of the head of a game: its rank, and the numbers of words of both kinds.
const HEAD: usize = 12;

/// The entries of games.
#[derive(Debug)]
pub struct Entries(Spill);

/// The entries of a game, as hashes of what it is found by. It is memory for game after game.
#[derive(Debug, Default)]
pub struct GameEntries {
    /// Those that are known.
    certain: Vec<u64>,
    /// Arrangements, each with the number of its positions and these: one of both is to be entered.
    arrangements: Vec<u64>,
    /// How many arrangements these are.
    count: u64,
}

impl GameEntries {
    /// Empties the memory.
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

    /// How many entries there are, if every arrangement is entered as such.
    pub fn count(&self) -> u64 {
        self.certain.len() as u64 + self.count
    }

    /// Adds the hashes of the arrangements.
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
    /// Nothing yet; what does not fit in memory goes to a file without a name in a folder.
    pub fn new(folder: &Path) -> Entries {
        Entries(Spill::new(folder, IN_MEMORY))
    }

    /// Adds a game by its rank. `batch` is what one thread has gathered, and is kept when it is long enough.
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

    /// Keeps what has been gathered.
    pub fn keep(&self, batch: Vec<u8>) -> io::Result<()> {
        self.0.add(batch)
    }

    /// Goes through all entries on all cores: rank and hash. Where many games have an arrangement, its positions are
    /// entered instead. `each` adds to a sum of its own; the sums come back in no order.
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

/// Reads the words of a game: its rank, and how many of them are certain.
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
