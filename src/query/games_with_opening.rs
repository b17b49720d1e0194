//! The games of some openings.

use std::{collections::HashSet, ops::ControlFlow};

use super::opening_of;
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, Sort, in_batches},
    openings::OpeningId,
    record::{GameId, StoredMoves},
};

/// The games that pass a filter and have [their last name](opening_of) among some openings. All that pass are
/// replayed, on all cores, whatever order and number the filter says. Damaged games are left out.
///
/// `watch` is told the number of games that have been looked through, and may break off; then there is no answer.
///
/// # Errors
/// SQLite's.
pub fn games_with_opening(
    archive: &Archive,
    openings: &[OpeningId],
    filter: &Filter,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<GameSet>, ArchiveError> {
    let openings: HashSet<OpeningId> = openings.iter().copied().collect();
    let is_meant = |game: &&StoredMoves| matches!(opening_of(game), Ok(Some(id)) if openings.contains(&id));
    let work = |games: Vec<StoredMoves>| {
        let found: Vec<GameId> = games.iter().filter(is_meant).map(|game| game.id).collect();
        (games.len() as u64, found)
    };
    let all = Filter { sort: Sort::Id, descending: false, limit: None, offset: 0, ..filter.clone() };
    let (mut ids, mut seen) = (Vec::new(), 0);
    let is_whole = in_batches(archive.moves(&all), work, |(games, found)| {
        ids.extend(found);
        seen += games;
        watch(seen)
    })?;
    Ok(is_whole.then(|| ids.into_iter().collect()))
}
