//! The number of games that reach a position, without reading the games if it is popular.

use super::{
    PositionIndex,
    passing::{Passing, PassingInSegment},
    range::Asked,
    targets,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::Board,
    query::Sought,
};

impl PositionIndex {
    /// The number of games that match the conditions of a filter and reach a position, if every segment can tell
    /// without reading games; otherwise `None`.
    pub(in crate::query) fn known_count(
        &self,
        archive: &Archive,
        sought: &Sought,
        filter: &Filter,
    ) -> Result<Option<u64>, ArchiveError> {
        // Only a single position with a single key can be counted without reading games. With several keys (mirrored,
        // or the pieces alone) the same game may be in several lists, and must not be counted twice.
        let [target] = sought.targets() else { return Ok(None) };
        let keys = targets::keys(target);
        let ([keys], [], Some(_)) = (keys.as_slice(), self.others.as_slice(), target.state) else {
            return Ok(None);
        };
        // Listing ids only to count them would decode the order of all games. The length of a stored list is known
        // without it: a popular position is counted in some 25 microseconds, replay of one game included.
        let passing = Passing::new(archive, filter)?;
        let counts = self.ask(archive, |asked| {
            let passing = passing.as_ref().map(|passing| passing.in_segment(asked)).transpose()?;
            asked.count_popular(&target.board, keys.whole, passing.as_ref())
        })?;
        Ok(counts.into_iter().flatten().sum())
    }
}

impl Asked<'_> {
    /// The number of matching games that reach a position, if it is popular.
    pub(super) fn count_popular(
        &self,
        board: &Board,
        whole: u64,
        passing: Option<&PassingInSegment<'_>>,
    ) -> Result<Option<u64>, ArchiveError> {
        let Some(passing) = passing else { return Ok(self.popular_count(board, whole)?.map(u64::from)) };
        // With a filter, the stored count is useless, but the runs are not: the mask is counted over them, still
        // without reading games.
        let popular = self.popular(board, whole)?;
        Ok(popular.map(|popular| popular.runs.iter().map(|run| passing.count(run)).sum()))
    }
}
