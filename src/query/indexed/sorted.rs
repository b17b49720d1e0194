//! All games in an order, from the columns of the index.

use std::{cmp::Reverse, collections::HashMap};

use super::{PositionIndex, range::SegmentReader};
use crate::{
    archive::{Archive, ArchiveError, Sort},
    position_index::ColumnOf,
    record::GameId,
};

impl PositionIndex {
    /// Whether the index has all games and what they are sorted by.
    pub fn sorts_by(&self, sort: Sort) -> bool {
        let is_known = matches!(sort, Sort::Date | Sort::Elo | Sort::Result | Sort::White | Sort::Black);
        is_known && self.has_positions() && self.is_complete()
    }

    /// The ids of all games by date, rating, result or name of a player; `None` if the index does not have all games,
    /// or for other orders.
    ///
    /// # Errors
    /// An SQLite error.
    pub fn sorted_ids(
        &self,
        archive: &Archive,
        sort: Sort,
        descending: bool,
    ) -> Result<Option<Vec<GameId>>, ArchiveError> {
        if !self.sorts_by(sort) {
            return Ok(None);
        }
        Ok(self.unless_damaged(self.sorted(archive, sort, descending))?.flatten())
    }

    fn sorted(
        &self,
        archive: &Archive,
        sort: Sort,
        descending: bool,
    ) -> Result<Option<Vec<GameId>>, ArchiveError> {
        let is_name = matches!(sort, Sort::White | Sort::Black);
        // Names have other ids in each of several archives.
        if is_name && self.ranges.iter().any(|range| range.stored.part > 0) {
            return Ok(None);
        }
        let names = if is_name { archive.names().places()? } else { HashMap::new() };
        let mut found: Vec<(u32, GameId)> = Vec::new();
        for reader in self.ranges.iter().map(|range| range.reader(archive)) {
            let stored = &reader.range.stored;
            // Some games are in no index: other variants, damaged games.
            if (stored.last - stored.first + 1).unsigned_abs() != u64::from(stored.shape.games) {
                return Ok(None);
            }
            found.extend((stored.first..).zip(keys(&reader, sort, &names)?).map(|(id, key)| (key, id)));
        }
        // 0 is unknown, which is last in either direction; equal ones are in the order of ids.
        match descending {
            true => found.sort_unstable_by_key(|(key, id)| (Reverse(*key), *id)),
            false => found.sort_unstable_by_key(|(key, id)| (key.wrapping_sub(1), *id)),
        }
        Ok(Some(found.into_iter().map(|(_, id)| id).collect()))
    }
}

/// What the games of a segment are sorted by, in the order of their ids; 0 if it is unknown.
fn keys(reader: &SegmentReader<'_>, sort: Sort, names: &HashMap<i64, u32>) -> Result<Vec<u32>, ArchiveError> {
    let order = reader.order()?;
    let columns = match sort {
        Sort::Date => vec![ColumnOf::Date],
        Sort::Result => vec![ColumnOf::Result],
        Sort::White => vec![ColumnOf::White],
        Sort::Black => vec![ColumnOf::Black],
        _ => vec![ColumnOf::WhiteElo, ColumnOf::BlackElo],
    };
    let mut keys = vec![0_u32; reader.range.stored.shape.games as usize];
    for of in columns {
        let column = reader.column(of)?;
        let key = |number: &u32| match sort {
            Sort::White | Sort::Black => names.get(&i64::from(*number)).copied().unwrap_or(0),
            // Every game has a result and a sum of ratings.
            Sort::Result => number + 1,
            Sort::Elo if of == ColumnOf::WhiteElo => number.saturating_add(1),
            _ => *number,
        };
        let distinct: Vec<u32> = column.values.iter().map(key).collect();
        for rank in 0..reader.range.stored.shape.games {
            if let (Some(sum), Some(key)) =
                (keys.get_mut(order.get(rank) as usize), distinct.get(column.place(rank)))
            {
                *sum = sum.saturating_add(*key);
            }
        }
    }
    Ok(keys)
}
