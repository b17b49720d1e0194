//! Games in an order, from the columns of the index.

use std::{collections::HashMap, ops::Range};

use super::{PositionIndex, filter_mask::FilterMask, range::SegmentReader};
use crate::{
    archive::{Archive, Filter, GameSet, Result, Sort},
    position_index::{ColumnOf, GameColumns},
    record::GameId,
};

/// Fewer games than this are sorted faster by the archive.
const MANY: usize = 5_000;

/// If more than this part of the games is not indexed, the archive sorts all of them.
const MOST_NOT_INDEXED: usize = 16;

impl PositionIndex {
    /// Whether the index has nearly all games and what they are sorted by; the others are read from the archive.
    pub fn sorts_by(&self, sort: Sort) -> bool {
        !columns_of(sort).is_empty() && self.has_positions() && self.has_nearly_all()
    }

    /// Whether the index has all but a small part of the games as they are now.
    fn has_nearly_all(&self) -> bool {
        self.most_not_indexed().saturating_mul(MOST_NOT_INDEXED) as u64 <= self.games()
    }

    /// The ids of all games, of those that match conditions of which the index has the columns, or of many that reach a
    /// position, in the order of import or by date, rating, result, length or name of a player; `None` if the index does not
    /// have all games, and for other filters and orders.
    pub fn sorted_ids(&self, archive: &Archive, filter: &Filter) -> Result<Option<Vec<GameId>>> {
        let Filter { sort, descending, ref among, .. } = *filter;
        let is_order =
            Filter { among: None, ..filter.clone() } == Filter { sort, descending, ..Filter::default() };
        let sorts = match among {
            Some(among) => among.len() >= MANY,
            None => FilterMask::has_columns_for(filter),
        };
        let is_by_id = sort == Sort::Id && among.is_none() && !is_order && self.has_nearly_all();
        if !sorts || filter.limit.is_some() || filter.offset > 0 || !(is_by_id || self.sorts_by(sort)) {
            return Ok(None);
        }
        let sorted = || {
            let among = if is_order { among.clone() } else { Some(self.games_passing(archive, filter)?) };
            if is_by_id {
                let ids = among.filter(|_| self.has_every_game()).map(|games| games.ids().to_vec());
                return Ok(ids.map(|mut ids| {
                    if descending {
                        ids.reverse();
                    }
                    ids
                }));
            }
            let found = self.sort_keys(archive, sort, among.as_ref())?;
            Ok(found.map(|found| in_order(found, descending)))
        };
        Ok(self.unless_damaged(sorted())?.flatten())
    }

    /// The first of all games by date, rating, result or length, faster than all of them; `None` as for
    /// [`sorted_ids`](Self::sorted_ids), and for names, whose first games the archive finds as fast.
    pub fn first_ids(&self, archive: &Archive, order: &Filter, most: usize) -> Result<Option<Vec<GameId>>> {
        match order.sort {
            Sort::Date | Sort::Elo | Sort::Result | Sort::Plies => self.ids_at(archive, order, 0..most),
            _ => Ok(None),
        }
    }

    /// A filter for the games that a filter lists by its offset and limit, if it has no conditions and the index sorts
    /// all games; otherwise the same filter.
    pub fn narrowed(&self, archive: &Archive, filter: Filter) -> Result<Filter> {
        let Filter { sort, descending, limit, offset, .. } = filter;
        let order = Filter { sort, descending, ..Filter::default() };
        let Some(limit) = limit.filter(|_| filter == Filter { limit, offset, ..order.clone() }) else {
            return Ok(filter);
        };
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        let places = place(offset)..place(offset.saturating_add(limit));
        Ok(match self.ids_at(archive, &order, places)? {
            Some(ids) => Filter { among: Some(ids.into_iter().collect()), ..order },
            None => filter,
        })
    }

    /// The games at some places of an order of all games; `None` as for [`sorted_ids`](Self::sorted_ids).
    fn ids_at(&self, archive: &Archive, order: &Filter, places: Range<usize>) -> Result<Option<Vec<GameId>>> {
        let Filter { sort, descending, .. } = *order;
        if !self.sorts_by(sort) {
            return Ok(None);
        }
        let found = self.unless_damaged(self.sort_keys(archive, sort, None))?.flatten();
        Ok(found.map(|mut found| {
            let key = |&(key, id): &(u32, GameId)| place(key, id, descending);
            if let Some(last) = places.end.checked_sub(1).filter(|last| *last < found.len()) {
                found.select_nth_unstable_by_key(last, key);
            }
            found.truncate(places.end);
            if places.start < found.len() {
                found.select_nth_unstable_by_key(places.start, key);
            }
            in_order(found.split_off(places.start.min(found.len())), descending)
        }))
    }

    /// Whether a complete index has every game: other variants and damaged games are in none.
    fn has_every_game(&self) -> bool {
        self.ranges.iter().all(|range| {
            let stored = &range.stored;
            (stored.last - stored.first + 1).unsigned_abs() == u64::from(stored.shape.games)
        })
    }

    /// All games, or those of a set, with what they are sorted by; `None` if the index lacks some.
    fn sort_keys(
        &self,
        archive: &Archive,
        sort: Sort,
        among: Option<&GameSet>,
    ) -> Result<Option<Vec<(u32, GameId)>>> {
        let is_name = matches!(sort, Sort::White | Sort::Black);
        // Names have other ids in each of several archives.
        if !self.has_every_game() || is_name && self.ranges.iter().any(|range| range.stored.part > 0) {
            return Ok(None);
        }
        let not_indexed = self.not_indexed(&Filter { among: among.cloned(), ..Filter::default() });
        if !archive.is_one() && !not_indexed.is_empty() {
            return Ok(None);
        }
        let names = if is_name { archive.names().places()? } else { HashMap::new() };
        let mut found: Vec<(u32, GameId)> = Vec::new();
        for game in not_indexed.iter().flat_map(|filter| archive.segments().columns_of(filter)) {
            let game = game?;
            found.push((key_of(&game.facts, sort, &names), game.id));
        }
        for reader in self.ranges.iter().map(|range| range.reader(archive)) {
            let stored = &reader.range.stored;
            let keys = keys(&reader, sort, &names)?;
            let Some(among) = among else {
                let games = (stored.first..).zip(keys).filter(|(id, _)| !reader.range.stale.contains(*id));
                found.extend(games.map(|(id, key)| (key, id)));
                continue;
            };
            let from = among.ids().partition_point(|id| *id < stored.first);
            let here = among.ids()[from..].iter().take_while(|id| **id <= stored.last);
            let here = here.filter(|id| !reader.range.stale.contains(**id));
            let key = |id: &GameId| keys.get((id - stored.first).unsigned_abs() as usize).copied();
            found.extend(here.filter_map(|id| Some((key(id)?, *id))));
        }
        Ok(Some(found))
    }
}

/// The place of a game in an order: 0 is unknown, which is last in either direction; equal ones are in the order of ids.
fn place(key: u32, id: GameId, descending: bool) -> (u32, GameId) {
    (if descending { !key } else { key.wrapping_sub(1) }, id)
}

fn in_order(mut found: Vec<(u32, GameId)>, descending: bool) -> Vec<GameId> {
    found.sort_unstable_by_key(|&(key, id)| place(key, id, descending));
    found.into_iter().map(|(_, id)| id).collect()
}

/// The columns with what games are sorted by; none if the index does not have it.
fn columns_of(sort: Sort) -> &'static [ColumnOf] {
    match sort {
        Sort::Date => &[ColumnOf::Date],
        Sort::Elo => &[ColumnOf::WhiteElo, ColumnOf::BlackElo],
        Sort::Result => &[ColumnOf::Result],
        Sort::Plies => &[ColumnOf::Plies],
        Sort::White => &[ColumnOf::White],
        Sort::Black => &[ColumnOf::Black],
        _ => &[],
    }
}

/// What a game is sorted by, as far as it is in a column with this number; 0 if it is unknown.
fn part_of_key(number: u32, of: ColumnOf, names: &HashMap<i64, u32>) -> u32 {
    match of {
        ColumnOf::White | ColumnOf::Black => names.get(&i64::from(number)).copied().unwrap_or(0),
        // Every game has a result, a length and a sum of ratings.
        ColumnOf::Result | ColumnOf::Plies | ColumnOf::WhiteElo => number.saturating_add(1),
        _ => number,
    }
}

/// What a game is sorted by; 0 if it is unknown.
fn key_of(game: &GameColumns, sort: Sort, names: &HashMap<i64, u32>) -> u32 {
    let parts = columns_of(sort).iter().map(|of| part_of_key(game.get(*of), *of, names));
    parts.fold(0, u32::saturating_add)
}

/// The same for the games of a segment, in the order of their ids.
fn keys(reader: &SegmentReader<'_>, sort: Sort, names: &HashMap<i64, u32>) -> Result<Vec<u32>> {
    let order = reader.order()?;
    let mut keys = vec![0_u32; reader.range.stored.shape.games as usize];
    for of in columns_of(sort) {
        let column = reader.column(*of)?;
        let distinct: Vec<u32> =
            column.values.iter().map(|number| part_of_key(*number, *of, names)).collect();
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
