//! The moves played in a position, and the results of the games.
//!
//! A [`Tally`] counts games from any source; an [`Exploration`] is its result.

mod answer;
mod by_scan;
mod successors;
mod tally;
#[cfg(test)]
mod tests;

pub use self::{
    answer::{Exploration, ExploredMove, OpeningName, Transposition},
    tally::Tally,
};
pub(super) use self::{
    by_scan::{Search, Visit, scan, scan_each, unsorted},
    successors::Successors,
};
use super::Context;
use crate::{
    archive::{Filter, Result},
    chess::VariantPosition,
};

/// The moves that games matching a filter played in each of some positions of one variant. Games of standard chess and
/// of Chess960 count together. The index answers for chess; other games, and games that are not indexed yet, are
/// replayed.
///
/// The watch receives the number of games replayed so far. Damaged games are skipped.
pub fn explore(
    context: Context<'_>,
    positions: &[VariantPosition],
    filter: &Filter,
) -> Result<Vec<Exploration>> {
    explored(context, positions, filter, false)
}

/// The same for one position, including moves that nobody played there but that lead to positions reached by other
/// games.
pub fn explore_with_transpositions(
    context: Context<'_>,
    position: &VariantPosition,
    filter: &Filter,
) -> Result<Exploration> {
    Ok(explored(context, std::slice::from_ref(position), filter, true)?.remove(0))
}

fn explored(
    context: Context<'_>,
    positions: &[VariantPosition],
    filter: &Filter,
    transpositions: bool,
) -> Result<Vec<Exploration>> {
    let is_chess = |position: &VariantPosition| matches!(position, VariantPosition::Chess(_));
    context.or_without_index(|context| match context.index {
        // With a limit or an offset, only the archive can decide which games are the first ones.
        Some(index) if positions.iter().all(is_chess) && filter.limit.is_none() && filter.offset == 0 => {
            let ask = |position| index.explore(context, position, filter, transpositions);
            positions.iter().map(ask).collect()
        }
        _ => {
            let search = Search::new(positions);
            let parts = scan(context, &search, std::slice::from_ref(filter))?;
            let answers = positions.iter().zip(&parts).map(|(position, part)| {
                let mut answer = Exploration::new(position, &part.tally, &part.reached);
                answer.transpositions.retain(|_| transpositions);
                answer
            });
            Ok(answers.collect())
        }
    })
}
