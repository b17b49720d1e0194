//! The openings, players and lengths of games, from columns of the index.

use super::{PositionIndex, filter_mask::FilterMask, find::passing_in_segment, range::SegmentReader};
use crate::{
    archive::{Archive, Filter, GamePlies, Result, StoredSegment},
    openings::{OpeningId, Openings},
    position_index::ColumnOf,
    query::NamedGame,
    record::{GameId, GameMetadata},
};

impl PositionIndex {
    /// The games of some openings that match the conditions of a filter, as far as the index has their openings.
    pub(in crate::query) fn games_with_opening(
        &self,
        archive: &Archive,
        openings: &[OpeningId],
        filter: &Filter,
    ) -> Result<Vec<GameId>> {
        let mask = FilterMask::new(archive, filter)?;
        let mask = mask.with_openings(openings.iter().copied());
        let mut ids = Vec::new();
        for reader in self.with_names(archive) {
            ids.extend(passing_in_segment(&reader, &mask)?);
        }
        Ok(ids)
    }

    /// Calls a function with the games that match the conditions of a filter and their openings, as far as the index
    /// has them.
    pub(in crate::query) fn for_each_opening(
        &self,
        archive: &Archive,
        filter: &Filter,
        mut each: impl FnMut(Option<OpeningId>, &GameMetadata),
    ) -> Result<()> {
        let mask = FilterMask::new(archive, filter)?;
        for reader in self.with_names(archive) {
            let (games, openings) = (reader.games()?, reader.column(ColumnOf::Opening)?);
            mask.in_segment(reader)?.for_all(|rank| each(opening(openings.get(rank)), &games.facts(rank)));
        }
        Ok(())
    }

    /// Calls a function with the games that match the conditions of a filter and their players. Returns filters for the
    /// games that the index does not have.
    pub(in crate::query) fn for_each_game(
        &self,
        archive: &Archive,
        filter: &Filter,
        each: &mut dyn FnMut(&NamedGame),
    ) -> Result<Vec<Filter>> {
        let mask = FilterMask::new(archive, filter)?;
        let known = |number: u32| Some(i64::from(number)).filter(|number| *number > 0);
        for reader in self.with_names(archive) {
            let games = reader.games()?;
            let [white, black] = [reader.column(ColumnOf::White)?, reader.column(ColumnOf::Black)?];
            mask.in_segment(reader)?.for_all(|rank| {
                let facts = games.facts(rank);
                each(&NamedGame { facts, white: known(white.get(rank)), black: known(black.get(rank)) });
            });
        }
        self.nameless(archive, filter)
    }

    /// The same with their lengths.
    pub(in crate::query) fn for_each_length(
        &self,
        archive: &Archive,
        filter: &Filter,
        each: &mut dyn FnMut(GamePlies),
    ) -> Result<Vec<Filter>> {
        let mask = FilterMask::new(archive, filter)?;
        for reader in self.with_names(archive) {
            let (games, plies) = (reader.games()?, reader.column(ColumnOf::Plies)?);
            mask.in_segment(reader)?.for_all(|rank| {
                let GameMetadata { id, result, .. } = games.facts(rank);
                each(GamePlies { id, plies: plies.get(rank), result });
            });
        }
        self.nameless(archive, filter)
    }

    /// Filters for the remaining games that match a filter: their openings must be found by a replay.
    pub(in crate::query) fn nameless(&self, archive: &Archive, filter: &Filter) -> Result<Vec<Filter>> {
        let unnamed = self.ranges.iter().map(|range| &range.stored).filter(|stored| !has_names(stored));
        let ranges =
            unnamed.map(|stored| (stored.first..=stored.last).into()).chain(self.others.iter().copied());
        let mut filters: Vec<Filter> = ranges.filter_map(|range| filter.within(range)).collect();
        let mut left_out = Vec::new();
        for reader in self.with_names(archive) {
            left_out.extend(ids_left_out(&reader)?);
            left_out.extend(reader.range.stale.ids());
        }
        left_out.retain(|id| filter.among.as_ref().is_none_or(|among| among.contains(*id)));
        if !left_out.is_empty() {
            filters.push(Filter { among: Some(left_out.into_iter().collect()), ..filter.clone() });
        }
        Ok(filters)
    }

    /// The openings of the games that have one in the index.
    pub fn known_openings(&self, archive: &Archive) -> Result<KnownOpenings> {
        Ok(self.unless_damaged(self.read_openings(archive))?.unwrap_or_default())
    }

    fn read_openings(&self, archive: &Archive) -> Result<KnownOpenings> {
        let mut ranges = Vec::new();
        for reader in self.with_names(archive) {
            let (stored, order) = (&reader.range.stored, reader.order()?);
            let mut by_place = vec![None; covered(stored)];
            let openings = reader.column(ColumnOf::Opening)?;
            for rank in 0..stored.shape.games {
                if let Some(game) = by_place.get_mut(order.get(rank) as usize) {
                    *game = Some(opening(openings.get(rank)));
                }
            }
            for id in reader.range.stale.ids() {
                by_place[(id - stored.first).unsigned_abs() as usize] = None;
            }
            ranges.push((stored.first, by_place));
        }
        Ok(KnownOpenings(ranges))
    }

    /// The segments whose openings were named with the current table.
    fn with_names<'a>(&'a self, archive: &'a Archive) -> impl Iterator<Item = SegmentReader<'a>> {
        self.ranges.iter().filter(|range| has_names(&range.stored)).map(|range| range.reader(archive))
    }
}

/// The openings of games.
#[derive(Clone, Debug, Default)]
pub struct KnownOpenings(Vec<(GameId, Vec<Option<Option<OpeningId>>>)>);

impl KnownOpenings {
    /// The opening of a game, if it has one; `None` if it is not known.
    pub fn of(&self, id: GameId) -> Option<Option<OpeningId>> {
        let after = self.0.partition_point(|(first, _)| *first <= id);
        let (first, by_place) = self.0.get(after.checked_sub(1)?)?;
        *by_place.get(usize::try_from(id - first).ok()?)?
    }
}

/// Whether the column of openings is based on the current table.
fn has_names(stored: &StoredSegment) -> bool {
    stored.shape.openings == Openings::standard().version()
}

/// The number of ids that a segment covers.
fn covered(stored: &StoredSegment) -> usize {
    (stored.last - stored.first).unsigned_abs() as usize + 1
}

/// The ids that a segment covers without containing the game: other variants, damaged games, and removed games.
fn ids_left_out(reader: &SegmentReader<'_>) -> Result<Vec<GameId>> {
    let stored = &reader.range.stored;
    if covered(stored) == stored.shape.games as usize {
        return Ok(Vec::new());
    }
    let (order, mut is_there) = (reader.order()?, vec![false; covered(stored)]);
    for rank in 0..stored.shape.games {
        if let Some(is_there) = is_there.get_mut(order.get(rank) as usize) {
            *is_there = true;
        }
    }
    Ok((stored.first..).zip(is_there).filter(|(_, is_there)| !is_there).map(|(id, _)| id).collect())
}

/// An opening by its number in the column.
fn opening(number: u32) -> Option<OpeningId> {
    number.checked_sub(1).and_then(|place| u16::try_from(place).ok()).map(OpeningId)
}
