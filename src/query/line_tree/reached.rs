//! The number of games that reach each of some positions.

use std::ops::ControlFlow;

use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{TargetPosition, VariantPosition},
    query::{PositionIndex, count_reaching, explore::explore_by_scan},
};

/// The number of games that match a filter and reach each position, by any moves; `None` if it was cancelled. Without a
/// suitable index, all games are replayed once.
pub(super) fn games_reaching_each(
    archive: &Archive,
    index: Option<&PositionIndex>,
    positions: &[VariantPosition],
    filter: &Filter,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<u64>>, ArchiveError> {
    // With a limit or an offset, only the archive can decide which games are the first ones.
    let index = index.filter(|index| index.has_positions() && filter.limit.is_none() && filter.offset == 0);
    let is_chess = positions.iter().all(|position| matches!(position, VariantPosition::Chess(_)));
    if let Some(index) = index.filter(|_| is_chess) {
        let sought: Vec<TargetPosition> = positions.iter().map(TargetPosition::exact).collect();
        // Together, since the filter is then prepared only once.
        let known = index.unless_damaged(index.known_counts(archive, &sought, filter))?.unwrap_or_default();
        let mut counts = Vec::with_capacity(positions.len());
        for (place, sought) in sought.iter().enumerate() {
            if let Some(games) = known.get(place).copied().flatten() {
                counts.push(games);
                continue;
            }
            let counted = count_reaching(archive, Some(index), sought, filter, |seen| watch(seen.games))?;
            let Some(counted) = counted else { return Ok(None) };
            counts.push(counted.hits);
            if index.is_ignored() {
                // Each further position would require its own scan.
                break;
            }
        }
        if counts.len() == positions.len() {
            return Ok(Some(counts));
        }
    }
    let answer = explore_by_scan(archive, positions, filter, watch)?;
    Ok(answer.map(|answer| answer.iter().map(|answer| answer.results.games).collect()))
}
