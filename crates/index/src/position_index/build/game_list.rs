//! The beginnings and the columns of the games of a segment, in an unnamed file until the segment is finished: in memory
//! they would take as much as the counters.

use std::{
    array::from_fn,
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{
    ranks::{Beginning, Ranks},
    recorded::NOT_STORED,
    spill::Spill,
};
use crate::position_index::{ColumnOf, GameColumns};
use plybook_record::GameId;

/// Bytes that are kept in memory.
const IN_MEMORY: usize = 1 << 20;

/// Words of a game: its id, the words of its moves, and its columns in pairs.
const WORDS: usize = 1 + Beginning::WORDS + PAIRS;
const PAIRS: usize = ColumnOf::ALL.len().div_ceil(2);

/// Bytes of a game.
const GAME: usize = 8 * WORDS;

/// The games of a segment.
#[derive(Debug)]
pub struct GameList(Spill);

/// Some games.
#[derive(Debug, Default)]
pub struct ListedGames(Vec<u8>);

impl ListedGames {
    /// Adds a game.
    pub fn push(&mut self, beginning: &Beginning, columns: &GameColumns) {
        let number = |at: usize| ColumnOf::ALL.get(at).map_or(0, |&of| u64::from(columns.get(of)));
        let pairs: [u64; PAIRS] = from_fn(|pair| number(2 * pair) | number(2 * pair + 1) << 32);
        let words = [beginning.id.cast_unsigned()].into_iter().chain(beginning.moves).chain(pairs);
        words.for_each(|word| self.0.extend(word.to_le_bytes()));
    }
}

impl GameList {
    /// Empty; data that does not fit in memory is written to an unnamed file in a directory.
    pub fn new(folder: &Path) -> GameList {
        GameList(Spill::new(folder, IN_MEMORY))
    }

    /// Adds games.
    pub fn add(&self, games: ListedGames) -> io::Result<()> {
        self.0.add(games.0)
    }

    /// Forgets some games.
    pub fn forget(&mut self, is_forgotten: impl Fn(GameId) -> bool + Sync) -> io::Result<()> {
        self.0.change(|bytes| {
            let mut are_any = false;
            let games = bytes.as_chunks_mut::<GAME>().0.iter_mut();
            for id in games.filter_map(|game| game.first_chunk_mut()) {
                if is_forgotten(GameId::from_le_bytes(*id)) {
                    (*id, are_any) = (NOT_STORED.to_le_bytes(), true);
                }
            }
            are_any
        })
    }

    /// The beginnings of all games, in any order.
    pub fn beginnings(&self) -> io::Result<Vec<Beginning>> {
        let beginnings = self.0.fold(Vec::new, |beginnings, bytes| {
            beginnings.extend(games(bytes).map(|(beginning, _)| beginning));
            Ok(())
        })?;
        Ok(beginnings.concat())
    }

    /// The columns of all games, by sort position.
    pub fn columns(&self, ranks: &Ranks) -> io::Result<Vec<GameColumns>> {
        let ordered = Mutex::new(vec![GameColumns::default(); ranks.places.len()]);
        let ordered_now = || ordered.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.fold(
            || (),
            |(), bytes| {
                let mut ordered = ordered_now();
                for (game, columns) in games(bytes) {
                    if let Some(slot) = ordered.get_mut(ranks.of(game.id) as usize) {
                        *slot = columns;
                    }
                }
                Ok(())
            },
        )?;
        Ok(std::mem::take(&mut *ordered_now()))
    }
}

/// The games of a chunk that have not been forgotten.
fn games(bytes: &[u8]) -> impl Iterator<Item = (Beginning, GameColumns)> {
    let games = bytes.as_chunks::<GAME>().0.iter().map(|game| {
        let words = game.as_chunks::<8>().0;
        let [id, moves @ .., a, b, c, d, e]: [u64; WORDS] = from_fn(|at| u64::from_le_bytes(words[at]));
        let pairs = [a, b, c, d, e];
        let numbers = from_fn(|at| (pairs[at / 2] >> (32 * (at % 2))) as u32);
        (Beginning { moves, id: id.cast_signed() }, GameColumns::of(numbers))
    });
    games.filter(|(beginning, _)| beginning.id != NOT_STORED)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn listed_games_come_back_in_order_without_forgotten_ones(
            games in prop::collection::vec((any::<[u64; 4]>(), any::<[u32; 10]>()), 1..60),
            forgotten: u64,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut list = GameList::new(folder.path());
            let is_forgotten = |id: GameId| forgotten >> id & 1 == 1;
            for (id, (moves, numbers)) in (1..).zip(&games) {
                let mut listed = ListedGames::default();
                listed.push(&Beginning { moves: *moves, id }, &GameColumns::of(*numbers));
                list.add(listed).unwrap();
            }
            list.forget(is_forgotten).unwrap();
            let mut expected: Vec<_> = (1..).zip(games).filter(|(id, _)| !is_forgotten(*id)).collect();
            expected.sort_by_key(|(id, (moves, _))| (*moves, *id));
            let ranks = Ranks::new(list.beginnings().unwrap(), (1..=60).into());
            let places: Vec<u32> = expected.iter().map(|(id, _)| *id as u32 - 1).collect();
            prop_assert_eq!(&ranks.places, &places);
            let columns: Vec<_> = expected.iter().map(|(_, (_, numbers))| GameColumns::of(*numbers)).collect();
            prop_assert_eq!(list.columns(&ranks).unwrap(), columns);
        }
    }
}
