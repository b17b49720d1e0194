//! Pages of a list of games.

use std::{
    collections::HashMap,
    fmt::{self, Display},
    str::FromStr,
};

use serde::{Serialize, Serializer};

use crate::{
    archive::{Archive, Filter, GameSet, Result, Summary},
    record::GameId,
};

/// The number of games of a list that are found faster than all of it.
const EARLY: usize = 1 << 12;

/// A page of a list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GamesPage {
    /// The games.
    pub games: Vec<Summary>,
    /// The number of games on all pages.
    pub total: u64,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<Cursor>,
}

/// The end of a page: its last game, and the number of games before the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    // Both are needed. The id finds the place again after games were added in front of it, and the place is all that is
    // left if the game has been removed. An offset alone would repeat or skip games whenever somebody imports between
    // two pages.
    place: usize,
    /// `None` on the way back: the last game of the page before the previous one is not known.
    id: Option<GameId>,
}

impl Cursor {
    /// The end of a page before the previous one, if it is not the start of the list.
    pub fn at(place: usize) -> Option<Cursor> {
        (place > 0).then_some(Cursor { place, id: None })
    }

    /// The number of games before the next page.
    pub fn place(self) -> usize {
        self.place
    }
}

/// The text is not a valid cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid page cursor")]
pub struct NoCursor;

impl Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            Some(id) => write!(f, "{}-{id}", self.place),
            None => write!(f, "{}", self.place),
        }
    }
}

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Cursor, NoCursor> {
        let (place, id) = text.split_once('-').map_or((text, None), |(place, id)| (place, Some(id)));
        let id = id.map(|id| id.parse().map_err(|_| NoCursor)).transpose()?;
        Ok(Cursor { place: place.parse().map_err(|_| NoCursor)?, id })
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A page of a list of games.
///
/// If the list has changed since the previous page, this one begins after the last game of that page.
pub fn page_of(archive: &Archive, list: &[GameId], after: Option<Cursor>, limit: usize) -> Result<GamesPage> {
    let from = after.map_or(0, |after| after.place_in(list));
    let ids = &list[from..list.len().min(from.saturating_add(limit))];
    let next = ids.last().map(|id| Cursor { place: from + ids.len(), id: Some(*id) });
    let next = next.filter(|next| next.place < list.len());
    Ok(GamesPage { games: summaries(archive, ids)?, total: list.len() as u64, next })
}

impl Cursor {
    /// The start of the next page: after the last game of the previous page, even if games have been inserted.
    fn place_in(self, list: &[GameId]) -> usize {
        let last = self.place.wrapping_sub(1);
        // The usual case: nothing has changed, and no search is needed however far down the list the page is.
        if self.id.is_some() && list.get(last).copied() == self.id {
            return self.place;
        }
        let place = list.iter().position(|id| Some(*id) == self.id);
        place.map_or(self.place.min(list.len()), |place| place + 1)
    }
}

/// A page of all `total` games, by id.
pub fn page_by_id(
    archive: &Archive,
    total: u64,
    descending: bool,
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage> {
    // The order by id needs no list in memory: SQLite seeks to the id, so page 5,000 costs as much as the first one.
    // `OFFSET` would step over all games before it.
    let ids = after.and_then(|after| after.id).map(|id| match descending {
        true => GameId::MIN..=id.saturating_sub(1),
        false => id.saturating_add(1)..=GameId::MAX,
    });
    let place = after.map_or(0, |after| after.place);
    let offset = if ids.is_some() { 0 } else { place as u64 };
    let filter = Filter { ids, descending, offset, ..Filter::default() };
    page_at(archive, total, filter, place, limit)
}

/// The page after a cursor near the start of such a list, without the rest of it; `None` if it is far from there, or if
/// the game of the cursor is not where it was.
pub fn early_page(
    archive: &Archive,
    total: u64,
    filter: Filter,
    after: Cursor,
    limit: usize,
) -> Result<Option<GamesPage>> {
    let Some(last) = after.place.checked_sub(1).filter(|last| last + limit < EARLY) else { return Ok(None) };
    let from = Filter { offset: last as u64, ..filter };
    let mut page = page_at(archive, total, from, last, limit.saturating_add(1))?;
    if page.games.first().is_none_or(|game| after.id.is_some_and(|id| id != game.id)) {
        return Ok(None);
    }
    page.games.remove(0);
    Ok(Some(page))
}

/// A page of all `total` games, in the order of a filter without conditions: the first ones that it selects, which come
/// after `before` others.
pub fn page_at(
    archive: &Archive,
    total: u64,
    filter: Filter,
    before: usize,
    limit: usize,
) -> Result<GamesPage> {
    // A full sort of a large archive takes many times as long as its first rows, which the archive can select with a
    // limit.
    let filter = Filter { limit: Some(limit as u64), ..filter };
    let games = archive.list::<Summary>(&filter).collect::<Result<Vec<_>, _>>()?;
    let place = before.saturating_add(games.len());
    let next = games.last().map(|game| Cursor { place, id: Some(game.id) });
    Ok(GamesPage { games, total, next: next.filter(|_| (place as u64) < total) })
}

/// The first page of all `total` games, given the first ids in some order.
pub fn first_page(archive: &Archive, total: u64, first: &[GameId], limit: usize) -> Result<GamesPage> {
    let page = page_of(archive, &first[..first.len().min(limit)], None, limit)?;
    let next = page.games.last().map(|game| Cursor { place: page.games.len(), id: Some(game.id) });
    Ok(GamesPage { total, next: next.filter(|next| (next.place as u64) < total), ..page })
}

/// The summaries of some games, in their order.
fn summaries(archive: &Archive, ids: &[GameId]) -> Result<Vec<Summary>> {
    let mut found = summaries_of(archive, ids.iter().copied().collect())?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// The summaries of some games, by id.
pub(super) fn summaries_of(archive: &Archive, ids: GameSet) -> Result<HashMap<GameId, Summary>> {
    let games = archive.list::<Summary>(&Filter { among: Some(ids), ..Filter::default() });
    games.map(|game| game.map(|game| (game.id, game))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_after_the_previous_one_even_if_games_were_inserted() {
        let end = |place, id| Cursor { place, id: Some(id) };
        let list = [7, 3, 9, 4];
        assert_eq!(end(2, 3).place_in(&list), 2);
        assert_eq!(end(1, 3).place_in(&list), 2);
        assert_eq!(end(1, 4).place_in(&list), 4);
        // A removed game: the number of games decides.
        assert_eq!(
            (end(2, 8).place_in(&list), end(9, 8).place_in(&list), end(0, 0).place_in(&list)),
            (2, 4, 0)
        );
        assert_eq!(end(2, 3).to_string().parse(), Ok(end(2, 3)));
        let back = Cursor { place: 2, id: None };
        assert_eq!(("2".parse(), back.to_string().as_str(), back.place_in(&list)), (Ok(back), "2", 2));
        assert_eq!(Cursor::at(9).unwrap().place_in(&list), 4);
        for text in ["", "-", "2-", "-3", "a-3", "2-3-4", "99999999999999999999999-1"] {
            assert_eq!(text.parse::<Cursor>(), Err(NoCursor), "{text}");
        }
    }
}
