//! The games that reach the positions of a share, as a thread finds them, and those of all threads together.

use std::io;

use foldhash::HashMap;

use crate::position_index::{MOST_GAMES, MoveCode};

/// A game in a position: from the top, the number of the position (28 bits), the sort position of the game (20 bits), and
/// the move played (16 bits). Sorting a single number needs no unpredictable branch per comparison.
// With the key instead of its number, a game would need 16 bytes.
type Reached = u64;

const RANK: u32 = 16;
const NUMBER: u32 = RANK + 20;
const _: () = assert!(MOST_GAMES <= 1 << (NUMBER - RANK));

/// The most positions of a share. There are a few thousand, unless the games are endless.
const MOST_POSITIONS: usize = 1 << (64 - NUMBER);

/// The games that a thread has found.
#[derive(Debug, Default)]
pub struct FoundGames {
    /// The number of each position, by its whole key, in the order in which they were found.
    numbers: HashMap<u64, u64>,
    games: Vec<Reached>,
}

/// The games of all threads.
#[derive(Debug)]
pub struct ReachedPositions {
    /// The whole keys of the positions, in ascending order.
    keys: Vec<u64>,
    /// Each with the number of its position in that order; in ascending order.
    games: Vec<Reached>,
}

impl FoundGames {
    /// None yet, but room for this many.
    pub fn with_room(games: usize) -> FoundGames {
        FoundGames { games: Vec::with_capacity(games), ..FoundGames::default() }
    }

    /// Adds a game by its sort position, below [`MOST_GAMES`], in the position with a whole key, where it played a move.
    pub fn push(&mut self, key: u64, rank: u32, MoveCode(played): MoveCode) {
        let next = self.numbers.len() as u64;
        let number = *self.numbers.entry(key).or_insert(next);
        self.games.push(number << NUMBER | u64::from(rank) << RANK | u64::from(played));
    }
}

impl ReachedPositions {
    /// From what all threads have found.
    ///
    /// # Errors
    /// There are too many positions.
    pub fn of(found: Vec<FoundGames>) -> io::Result<ReachedPositions> {
        let mut keys: Vec<u64> = found.iter().flat_map(|found| found.numbers.keys().copied()).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > MOST_POSITIONS {
            return Err(io::Error::other("the games of a segment have too many different positions"));
        }
        let mut games = Vec::with_capacity(found.iter().map(|found| found.games.len()).sum());
        for found in found {
            let mut places = vec![0; found.numbers.len()];
            for (key, number) in found.numbers {
                places[number as usize] = keys.binary_search(&key).unwrap_or_default() as u64;
            }
            let rest = (1 << NUMBER) - 1;
            let placed = |game: Reached| places[(game >> NUMBER) as usize] << NUMBER | game & rest;
            games.extend(found.games.into_iter().map(placed));
        }
        games.sort_unstable();
        Ok(ReachedPositions { keys, games })
    }

    /// The positions in ascending order of their keys, each with its games in ascending order.
    pub fn each(&self, mut each: impl FnMut(u64, &[(u32, MoveCode)])) {
        let mut buffer = Vec::new();
        for (&key, games) in self.keys.iter().zip(self.games.chunk_by(|a, b| a >> NUMBER == b >> NUMBER)) {
            buffer.clear();
            let rank = |game: &Reached| (game >> RANK) as u32 & ((1 << (NUMBER - RANK)) - 1);
            buffer.extend(games.iter().map(|game| (rank(game), MoveCode(*game as u16))));
            each(key, &buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn games_of_all_threads_are_listed_by_position(
            threads in prop::collection::vec(prop::collection::vec((0u64..40, 0..MOST_GAMES, any::<u16>()), 0..60), 0..4),
        ) {
            let mut expected: BTreeMap<u64, Vec<(u32, MoveCode)>> = BTreeMap::new();
            let found = threads.iter().map(|games| {
                let mut found = FoundGames::with_room(9);
                for &(key, rank, played) in games {
                    let key = u64::MAX / 39 * key;
                    found.push(key, rank, MoveCode(played));
                    expected.entry(key).or_default().push((rank, MoveCode(played)));
                }
                found
            });
            let reached = ReachedPositions::of(found.collect()).unwrap();
            expected.values_mut().for_each(|games| games.sort_unstable());
            let mut listed = BTreeMap::new();
            reached.each(|key, games| assert!(listed.insert(key, games.to_vec()).is_none()));
            prop_assert_eq!(listed, expected);
        }
    }
}
