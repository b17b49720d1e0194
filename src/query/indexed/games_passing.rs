//! The games that pass a filter, by the columns of the index.

use super::{
    PositionIndex,
    passing::{Passing, ones},
    range::Asked,
};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet},
    query::find::all,
    record::GameId,
};

impl PositionIndex {
    /// The games of standard chess and Chess960 that pass the conditions of a filter; order, limit and offset do not count. The
    /// archive is asked for games that are not indexed yet, and for what no column knows.
    ///
    /// # Errors
    /// SQLite's, or the index is damaged.
    pub fn games_passing(&self, archive: &Archive, filter: &Filter) -> Result<GameSet, ArchiveError> {
        let passing = Passing::new(archive, filter)?.unwrap_or_default();
        let mut ids = self.ask(archive, |asked| in_segment(&asked, &passing))?.concat().concat();
        for filter in self.others.iter().filter_map(|range| all(filter).within(*range)) {
            for id in archive.list::<GameId>(&filter) {
                ids.push(id?);
            }
        }
        Ok(ids.into_iter().collect())
    }
}

/// Those of a segment, in order.
fn in_segment(asked: &Asked<'_>, passing: &Passing) -> Result<Vec<GameId>, ArchiveError> {
    let (first, order) = (asked.range.stored.first, asked.order()?);
    let mut bits = vec![0u64; (asked.range.stored.last - first) as usize / 64 + 1];
    passing.in_segment(*asked)?.for_all(|rank| {
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
