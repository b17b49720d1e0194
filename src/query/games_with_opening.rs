//! The games of some openings.

use std::{collections::HashSet, ops::ControlFlow};

use super::{PositionIndex, opening_of};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, Sort, in_batches},
    openings::OpeningId,
    record::{GameId, StoredMoves},
};

/// The games that match the conditions of a filter and have [their last name](opening_of) among some openings,
/// regardless of order, limit and offset. Games that are not indexed are replayed on all cores. Damaged games are
/// skipped.
///
/// `watch` receives the number of games replayed, and may cancel; then the result is `None`.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn games_with_opening(
    archive: &Archive,
    index: Option<&PositionIndex>,
    openings: &[OpeningId],
    filter: &Filter,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<GameSet>, ArchiveError> {
    let all = Filter { sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() };
    let (mut ids, nameless) = PositionIndex::or_without(index, |index| {
        Ok(match index {
            Some(index) => {
                (index.games_with_opening(archive, openings, &all)?, index.nameless(archive, &all)?)
            }
            None => (Vec::new(), vec![all.clone()]),
        })
    })?;
    let openings: HashSet<OpeningId> = openings.iter().copied().collect();
    let is_meant = |game: &&StoredMoves| matches!(opening_of(game), Ok(Some(id)) if openings.contains(&id));
    let work = |games: Vec<StoredMoves>| {
        let found: Vec<GameId> = games.iter().filter(is_meant).map(|game| game.id).collect();
        (games.len() as u64, found)
    };
    let mut seen = 0;
    for filter in nameless {
        let is_whole = in_batches(archive.moves(&filter), work, |(games, found)| {
            ids.extend(found);
            seen += games;
            watch(seen)
        })?;
        if !is_whole {
            return Ok(None);
        }
    }
    Ok(Some(ids.into_iter().collect()))
}
