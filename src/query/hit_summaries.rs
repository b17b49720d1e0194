//! The summaries of games that were found.

use super::Hit;
use crate::archive::{Archive, ArchiveError, Filter, GameSet, Summary};

/// The summaries of some games in the order of the filter, with the plies at which they reach the target.
///
/// # Errors
/// An SQLite error.
pub fn hit_summaries(
    archive: &Archive,
    filter: &Filter,
    hits: &[Hit],
) -> Result<Vec<(Summary, usize)>, ArchiveError> {
    let among: GameSet = hits.iter().map(|hit| hit.game).collect();
    let these =
        Filter { among: Some(among), sort: filter.sort, descending: filter.descending, ..Filter::default() };
    let mut plies: Vec<(i64, usize)> = hits.iter().map(|hit| (hit.game, hit.ply)).collect();
    plies.sort_unstable();
    let with_ply = |game: Summary| {
        let place = plies.binary_search_by_key(&game.id, |(game, _)| *game).ok()?;
        Some((game, plies.get(place)?.1))
    };
    let found: Result<Vec<Summary>, ArchiveError> = archive.list::<Summary>(&these).collect();
    Ok(found?.into_iter().filter_map(with_ply).collect())
}
