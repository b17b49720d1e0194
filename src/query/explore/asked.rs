//! Exploring with the index where there is one, else by a replay of all games.

use std::ops::ControlFlow;

use super::{Exploration, by_scan::explore_all_by_scan, explore_by_scan};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::VariantPosition,
    query::PositionIndex,
};

/// What the games that pass a filter went on with in each of some positions of one variant. Games of standard chess and
/// of Chess960 count alike. The index answers for chess; other games, and those it has not got yet, are replayed.
///
/// `watch` is told the number of games that have been replayed so far, and may break off; then there is no answer.
/// Damaged games are passed over.
///
/// # Errors
/// SQLite's, or the index is damaged.
pub fn explore(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[VariantPosition],
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Exploration>>, ArchiveError> {
    explored(archive, index, positions, filter, false, watch)
}

/// The same of a position, with the moves that nobody played there, to positions that games reach.
///
/// # Errors
/// SQLite's, or the index is damaged.
pub fn explore_with_transpositions(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Exploration>, ArchiveError> {
    let told = explored(archive, index, std::slice::from_ref(position), filter, true, watch)?;
    Ok(told.and_then(|told| told.into_iter().next()))
}

fn explored(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[VariantPosition],
    filter: &Filter,
    transpositions: bool,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Exploration>>, ArchiveError> {
    let is_chess = |position: &VariantPosition| matches!(position, VariantPosition::Chess(_));
    PositionIndex::or_without(index, |index| match index {
        // Which games are the first of many is for the archive to say.
        Some(index) if positions.iter().all(is_chess) && filter.limit.is_none() && filter.offset == 0 => {
            let ask = |position| index.explore(archive, position, filter, transpositions, &mut watch);
            positions.iter().map(ask).collect()
        }
        _ if transpositions => explore_all_by_scan(archive, positions, filter, &mut watch),
        _ => explore_by_scan(archive, positions, filter, &mut watch),
    })
}
