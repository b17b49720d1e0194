//! Exploring with the index where there is one, else by a replay of all games.

use std::ops::ControlFlow;

use super::{Exploration, explore_by_scan};
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
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Exploration>>, ArchiveError> {
    let is_chess = |position: &VariantPosition| matches!(position, VariantPosition::Chess(_));
    match index {
        // Which games are the first of many is for the archive to say.
        Some(index) if positions.iter().all(is_chess) && filter.limit.is_none() && filter.offset == 0 => {
            let told = positions.iter().map(|position| index.explore(archive, position, filter, &mut watch));
            told.collect()
        }
        _ => explore_by_scan(archive, positions, filter, watch),
    }
}
