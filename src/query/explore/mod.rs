//! The moves played in a position, and the results of the games.
//!
//! A [`Tally`] counts games from any source; an [`Exploration`] is its result.

mod answer;
mod by_scan;
mod successors;
mod tally;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use self::{
    answer::{Exploration, ExploredMove, OpeningName, Transposition},
    tally::Tally,
};
pub(super) use self::{
    by_scan::{Search, Visit, scan, scan_each, unsorted},
    successors::Successors,
};
use super::PositionIndex;
use crate::{
    archive::{Archive, Filter, Result},
    chess::VariantPosition,
};

/// The moves that games matching a filter played in each of some positions of one variant. Games of standard chess and
/// of Chess960 count together. The index answers for chess; other games, and games that are not indexed yet, are
/// replayed.
///
/// `watch` receives the number of games replayed so far, and may cancel; then the result is `None`. Damaged games are
/// skipped.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn explore(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[VariantPosition],
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Exploration>>> {
    explored(archive, index, positions, filter, false, watch)
}

/// The same for one position, including moves that nobody played there but that lead to positions reached by other
/// games.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn explore_with_transpositions(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Exploration>> {
    let answer = explored(archive, index, std::slice::from_ref(position), filter, true, watch)?;
    Ok(answer.and_then(|answer| answer.into_iter().next()))
}

fn explored(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[VariantPosition],
    filter: &Filter,
    transpositions: bool,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<Exploration>>> {
    let is_chess = |position: &VariantPosition| matches!(position, VariantPosition::Chess(_));
    PositionIndex::or_without(index, |index| match index {
        // With a limit or an offset, only the archive can decide which games are the first ones.
        Some(index) if positions.iter().all(is_chess) && filter.limit.is_none() && filter.offset == 0 => {
            let ask = |position| index.explore(archive, position, filter, transpositions, &mut watch);
            positions.iter().map(ask).collect()
        }
        _ => {
            let search = Search::new(positions);
            let Some(parts) = scan(archive, &search, std::slice::from_ref(filter), &mut watch)? else {
                return Ok(None);
            };
            let answers = positions.iter().zip(&parts).map(|(position, part)| {
                let mut answer = Exploration::new(position, &part.tally, &part.reached)?;
                answer.transpositions.retain(|_| transpositions);
                Some(answer)
            });
            // Every move of a tally is the index of a legal move.
            Ok(answers.collect())
        }
    })
}
