//! The number of games that reach a position, without reading the games if it is popular.

use super::{
    PositionIndex,
    filter_mask::{FilterMask, SegmentFilter},
    range::SegmentReader,
    targets,
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::Board,
    query::TargetPosition,
};

impl PositionIndex {
    /// The number of games that match the conditions of a filter and reach each of some positions, if every segment can
    /// tell without reading games; otherwise `None`.
    pub(in crate::query) fn known_counts(
        &self,
        archive: &Archive,
        sought: &[TargetPosition],
        filter: &Filter,
    ) -> Result<Vec<Option<u64>>, ArchiveError> {
        // Otherwise preparing the filter would be in vain.
        if !self.is_complete() || sought.iter().all(|sought| sought.targets().len() != 1) {
            return Ok(vec![None; sought.len()]);
        }
        // Listing ids only to count them would decode the order of all games. The length of a stored list is known
        // without it: a popular position is counted in some 25 microseconds, replay of one game included.
        let mask = FilterMask::new(archive, filter)?;
        let counts = self.ask(archive, |reader| {
            let mask = FilterMask::of_segment(mask.as_ref(), reader)?;
            sought.iter().map(|sought| known_count(reader, sought, mask.as_ref())).collect()
        })?;
        let counts: Vec<Vec<Option<u64>>> = counts.concat();
        let sum = |place: usize| counts.iter().map(|of| of.get(place).copied().flatten()).sum();
        Ok((0..sought.len()).map(sum).collect())
    }
}

/// The same for one position in a segment.
fn known_count(
    reader: SegmentReader<'_>,
    sought: &TargetPosition,
    mask: Option<&SegmentFilter<'_>>,
) -> Result<Option<u64>, ArchiveError> {
    // Only a single position with a single key can be counted without reading games. With several keys (mirrored,
    // or the pieces alone) the same game may be in several lists, and must not be counted twice.
    let [target] = sought.targets() else { return Ok(None) };
    let keys = targets::keys(target);
    let ([keys], Some(_)) = (keys.as_slice(), target.state) else {
        return Ok(None);
    };
    reader.count_popular(&target.board, keys.whole, mask)
}

impl SegmentReader<'_> {
    /// The number of matching games that reach a position, if it is popular.
    pub(super) fn count_popular(
        &self,
        board: &Board,
        whole: u64,
        mask: Option<&SegmentFilter<'_>>,
    ) -> Result<Option<u64>, ArchiveError> {
        let Some(mask) = mask else { return Ok(self.popular_count(board, whole)?.map(u64::from)) };
        // With a filter, the stored count is useless, but the runs are not: the mask is counted over them, still
        // without reading games.
        let popular = self.popular(board, whole)?;
        Ok(popular.map(|popular| popular.runs.iter().map(|run| mask.count(run)).sum()))
    }
}
