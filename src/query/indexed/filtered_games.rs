//! The games that match a filter, from the columns of the index.

use super::{
    PositionIndex,
    filter_mask::{FilterMask, ones},
    range::SegmentReader,
};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet},
    query::find::all,
    record::GameId,
};

impl PositionIndex {
    /// The games of standard chess and Chess960 that match the conditions of a filter; order, limit and offset are
    /// ignored. The archive is queried for games that are not indexed yet, and for conditions without a column.
    ///
    /// # Errors
    /// An SQLite error, or the index is corrupt.
    pub fn games_passing(&self, archive: &Archive, filter: &Filter) -> Result<GameSet, ArchiveError> {
        let mask = FilterMask::new(archive, filter)?.unwrap_or_default();
        let mut ids = self.ask(archive, |reader| in_segment(&reader, &mask))?.concat().concat();
        for filter in self.not_indexed(&all(filter)) {
            for id in archive.list::<GameId>(&filter) {
                ids.push(id?);
            }
        }
        Ok(ids.into_iter().collect())
    }
}

/// The matching games of a segment, in order.
fn in_segment(reader: &SegmentReader<'_>, mask: &FilterMask) -> Result<Vec<GameId>, ArchiveError> {
    let (first, order) = (reader.range.stored.first, reader.order()?);
    // Games are stored by move sequence, not by id. Scattering them into a bit set and reading it in order sorts them
    // in linear time.
    let mut bits = vec![0u64; (reader.range.stored.last - first) as usize / 64 + 1];
    mask.in_segment(*reader)?.for_all(|rank| {
        let place = order.get(rank) as usize;
        if let Some(word) = bits.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    });
    let mut ids = Vec::new();
    for (place, word) in (first..).step_by(64).zip(bits) {
        ids.extend(ones(word).map(|at| place + GameId::from(at)));
    }
    Ok(ids)
}
