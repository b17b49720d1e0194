//! The beginnings and the columns of the games of a segment, in an unnamed file until the segment is finished: in memory
//! they would take 80 bytes per game.

use std::{
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{
    ranks::{Beginning, Ranks},
    recorded::NOT_STORED,
    shares::joined,
    spill::{IN_MEMORY, Spill},
};
use crate::position_index::{ColumnOf, GameColumns};
use plybook_record::GameId;

/// Bytes of the beginning of a game: its id and the words of its moves.
const BEGINNING: usize = 8 * (1 + Beginning::WORDS);

/// Bytes of a game: its beginning and its columns.
const GAME: usize = BEGINNING + 4 * ColumnOf::ALL.len();

/// All games of a segment.
#[derive(Debug)]
pub struct GameList(Spill);

/// Encoded games, to be added together.
#[derive(Debug, Default)]
pub struct ListedGames(Vec<u8>);

impl ListedGames {
    /// Adds a game.
    pub fn push(&mut self, beginning: &Beginning, columns: &GameColumns) {
        let ListedGames(bytes) = self;
        bytes.extend(beginning.id.to_le_bytes());
        beginning.moves.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        ColumnOf::ALL.iter().for_each(|of| bytes.extend(columns.get(*of).to_le_bytes()));
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
        Ok(joined(beginnings))
    }

    /// The columns of all games, by sort position.
    pub fn columns(&self, ranks: &Ranks) -> io::Result<Vec<GameColumns>> {
        let ordered = Mutex::new(vec![GameColumns::default(); ranks.places.len()]);
        self.0.fold(
            || (),
            |(), bytes| {
                let mut ordered = ordered.lock().unwrap_or_else(PoisonError::into_inner);
                for (game, columns) in games(bytes) {
                    if let Some(slot) = ordered.get_mut(ranks.of(game.id) as usize) {
                        *slot = columns;
                    }
                }
                Ok(())
            },
        )?;
        Ok(ordered.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The games of a chunk that have not been forgotten.
fn games(bytes: &[u8]) -> impl Iterator<Item = (Beginning, GameColumns)> {
    let games = bytes.as_chunks::<GAME>().0.iter().filter_map(|game| {
        let (beginning, columns) = game.split_at(BEGINNING);
        let (id, moves) = beginning.as_chunks().0.split_first()?;
        let moves: [[u8; 8]; Beginning::WORDS] = moves.try_into().ok()?;
        let columns: [[u8; 4]; ColumnOf::ALL.len()] = columns.as_chunks().0.try_into().ok()?;
        let beginning = Beginning { moves: moves.map(u64::from_le_bytes), id: GameId::from_le_bytes(*id) };
        Some((beginning, GameColumns::of(columns.map(u32::from_le_bytes))))
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
            // Some of them are kept in memory.
            let mut list = GameList(Spill::new(folder.path(), 10 * GAME));
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
