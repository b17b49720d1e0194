//! Finds the games that reach a position with the index.

use std::ops::ControlFlow;

use super::{
    PositionIndex,
    filter_mask::{FilterMask, SegmentFilter},
    range::SegmentReader,
    targets,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    query::{Reached, TargetPosition, first_ply, in_batches},
    record::{GameId, StoredMoves},
};

impl PositionIndex {
    /// The chess games that match the conditions of a filter and reach a position. `watch` receives the number of games
    /// replayed because they are not indexed, and may cancel; then the result is `None`.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub(in crate::query) fn games_reaching(
        &self,
        archive: &Archive,
        sought: &TargetPosition,
        filter: &Filter,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Reached>, ArchiveError> {
        let mask = FilterMask::new(archive, filter)?;
        let (mut found, mut damaged) = (Vec::new(), 0);
        let mut add = |(ids, passed_over): (Vec<GameId>, u64)| {
            found.extend(ids);
            damaged += passed_over;
        };
        let segments = self.ask(archive, |reader| {
            let mask = FilterMask::of_segment(mask.as_ref(), reader)?;
            in_segment(&reader, sought, mask.as_ref())
        })?;
        segments.into_iter().flatten().for_each(&mut add);
        let work = |games: Vec<StoredMoves>| {
            let (mut ids, mut damaged) = (Vec::new(), 0);
            for game in &games {
                match first_ply(game, sought) {
                    Ok(ply) => ids.extend(ply.map(|_| game.id)),
                    Err(_) => damaged += 1,
                }
            }
            (ids, damaged)
        };
        let filters = self.not_indexed(filter);
        let games = filters.iter().flat_map(|filter| archive.moves(filter));
        let is_whole = in_batches(games, work, add, watch)?;
        Ok(is_whole.then(|| Reached { games: found.into_iter().collect(), damaged }))
    }
}

/// The ids of the games of a segment that match and reach a position, and the number of candidates that are damaged.
fn in_segment(
    reader: &SegmentReader<'_>,
    sought: &TargetPosition,
    mask: Option<&SegmentFilter<'_>>,
) -> Result<(Vec<GameId>, u64), ArchiveError> {
    let (mut ranks, mut rare) = (Vec::new(), Vec::new());
    for target in sought.targets() {
        for keys in targets::keys(target) {
            match reader.popular(&target.board, keys.whole)? {
                // A popular list is exact, so none of its games is replayed. The candidates of all other keys are
                // looked up together below: keys of the same board share the postings of its pawn structure.
                Some(position) => position.runs.iter().for_each(|run| match mask {
                    Some(mask) => mask.for_each(run, |rank| ranks.push(rank)),
                    None => ranks.extend(run.ranks()),
                }),
                None => rare.push(keys),
            }
        }
    }
    ranks.sort_unstable();
    ranks.dedup();
    let (mut also, mut damaged) = (Vec::new(), 0);
    for rank in reader.candidates(&rare)? {
        // The filter comes first: it is a few loads, a replay with its row from SQLite takes 10 to 15 microseconds.
        let may_be = mask.is_none_or(|mask| mask.passes(rank)) && ranks.binary_search(&rank).is_err();
        if !may_be {
            continue;
        }
        match first_ply(&reader.moves(rank)?, sought) {
            Ok(ply) => also.extend(ply.map(|_| rank)),
            Err(_) => damaged += 1,
        }
    }
    let ids: Result<_, ArchiveError> = ranks.into_iter().chain(also).map(|rank| reader.id(rank)).collect();
    Ok((ids?, damaged))
}
