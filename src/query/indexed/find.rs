//! The games that reach a position, found by the index.

use std::ops::ControlFlow;

use super::{PositionIndex, range::Asked, targets};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet},
    position_index::Run,
    query::{Sought, batches::in_batches, first_ply},
    record::{GameId, StoredMoves},
};

impl PositionIndex {
    /// The games of chess that reach a position. `watch` is told the number of games that have been replayed because
    /// they are not indexed, and may break off; then there is no answer.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn games_reaching(
        &self,
        archive: &Archive,
        sought: &Sought,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<GameSet>, ArchiveError> {
        let mut found = Vec::new();
        for range in &self.ranges {
            found.extend(in_segment(&range.asked(archive), sought)?);
        }
        let mut seen = 0;
        for &(first, last) in &self.others {
            let filter = Filter { ids: Some(first..=last), ..Filter::default() };
            let work = |games: Vec<StoredMoves>| {
                let reaches = |game: &&StoredMoves| matches!(first_ply(game, sought), Ok(Some(_)));
                (games.len() as u64, games.iter().filter(reaches).map(|game| game.id).collect::<Vec<_>>())
            };
            let is_whole = in_batches(archive.moves(&filter), work, |(games, ids)| {
                found.extend(ids);
                seen += games;
                watch(seen)
            })?;
            if !is_whole {
                return Ok(None);
            }
        }
        Ok(Some(found.into_iter().collect()))
    }
}

/// The ids of the games of a segment that reach a position.
fn in_segment(asked: &Asked<'_>, sought: &Sought) -> Result<Vec<GameId>, ArchiveError> {
    let (mut ranks, mut rare) = (Vec::new(), Vec::new());
    for target in sought.targets() {
        for keys in targets::keys(target) {
            match asked.popular(&target.board, keys.whole)? {
                Some(position) => {
                    ranks.extend(position.runs.iter().flat_map(Run::ranks));
                }
                None => rare.push(keys),
            }
        }
    }
    ranks.sort_unstable();
    ranks.dedup();
    let mut also = Vec::new();
    for rank in asked.candidates(&rare)? {
        // A game that is damaged before it gets there does not.
        if ranks.binary_search(&rank).is_err()
            && matches!(first_ply(&asked.moves(rank)?, sought), Ok(Some(_)))
        {
            also.push(rank);
        }
    }
    ranks.into_iter().chain(also).map(|rank| asked.id(rank)).collect()
}
