//! Pages of a list of games.

use std::{
    collections::HashMap,
    fmt::{self, Display},
    ops::ControlFlow,
    str::FromStr,
};

use serde::{Serialize, Serializer};

use super::{FilterText, PresentError};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary},
    query::PositionIndex,
    record::GameId,
};

/// A page of a list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GamesPage {
    /// The games.
    pub games: Vec<Summary>,
    /// The number of games of all pages.
    pub total: u64,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<Cursor>,
}

/// The end of a page: its last game, and the games before the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    place: usize,
    id: GameId,
}

/// A text that is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no end of a page")]
pub struct NoCursor;

impl Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.place, self.id)
    }
}

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Cursor, NoCursor> {
        let (place, id) = text.split_once('-').ok_or(NoCursor)?;
        Ok(Cursor { place: place.parse().map_err(|_| NoCursor)?, id: id.parse().map_err(|_| NoCursor)? })
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The games that a filter finds, in its order; `None` if `watch` broke off.
///
/// # Errors
/// A condition cannot be understood; the archive cannot be read.
pub fn sorted_games(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &FilterText,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<GameId>>, PresentError> {
    let Some(filter) = filter.filter(archive, index, watch)? else { return Ok(None) };
    Ok(Some(archive.selection().sorted_ids(&filter)?))
}

/// A page of such games.
///
/// # Errors
/// The archive cannot be read.
pub fn page_of(
    archive: &Archive,
    list: &[GameId],
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage, PresentError> {
    let from = after.map_or(0, |after| after.place_in(list));
    let ids = &list[from..list.len().min(from.saturating_add(limit))];
    let next = ids.last().map(|id| Cursor { place: from + ids.len(), id: *id });
    let next = next.filter(|next| next.place < list.len());
    Ok(GamesPage { games: summaries(archive, ids)?, total: list.len() as u64, next })
}

impl Cursor {
    /// Where the next page begins: behind the last game of the page before, also where games have come between.
    fn place_in(self, list: &[GameId]) -> usize {
        let last = self.place.wrapping_sub(1);
        if list.get(last) == Some(&self.id) {
            return self.place;
        }
        let place = list.iter().position(|id| *id == self.id);
        place.map_or(self.place.min(list.len()), |place| place + 1)
    }
}

/// A page of all games, of which there are `total`, by their ids.
///
/// # Errors
/// The archive cannot be read.
pub fn page_by_id(
    archive: &Archive,
    total: u64,
    descending: bool,
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage, PresentError> {
    let ids = after.map(|Cursor { id, .. }| match descending {
        true => GameId::MIN..=id.saturating_sub(1),
        false => id.saturating_add(1)..=GameId::MAX,
    });
    let filter = Filter { ids, descending, ..Filter::default() };
    page(archive, total, filter, after.map_or(0, |after| after.place), limit)
}

/// The first page of all games, of which there are `total`, by something else.
///
/// # Errors
/// The order cannot be understood; the archive cannot be read.
pub fn first_page(
    archive: &Archive,
    total: u64,
    filter: &FilterText,
    limit: usize,
) -> Result<GamesPage, PresentError> {
    let found = filter.filter(archive, None, |_| ControlFlow::Continue(()))?;
    page(archive, total, found.unwrap_or_default(), 0, limit)
}

/// The first games of a filter without conditions, which come behind so many others.
fn page(
    archive: &Archive,
    total: u64,
    filter: Filter,
    before: usize,
    limit: usize,
) -> Result<GamesPage, PresentError> {
    let filter = Filter { limit: Some(limit as u64), ..filter };
    let games = archive.list::<Summary>(&filter).collect::<Result<Vec<_>, _>>()?;
    let place = before.saturating_add(games.len());
    let next = games.last().map(|game| Cursor { place, id: game.id });
    Ok(GamesPage { games, total, next: next.filter(|_| (place as u64) < total) })
}

/// What a list says of some games, in their order.
fn summaries(archive: &Archive, ids: &[GameId]) -> Result<Vec<Summary>, ArchiveError> {
    let among = Some(ids.iter().copied().collect());
    let found = archive.list::<Summary>(&Filter { among, ..Filter::default() });
    let mut found: HashMap<GameId, Summary> =
        found.map(|game| game.map(|game| (game.id, game))).collect::<Result<_, _>>()?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_behind_the_one_before_also_when_games_have_come_between() {
        let end = |place, id| Cursor { place, id };
        let list = [7, 3, 9, 4];
        assert_eq!(end(2, 3).place_in(&list), 2);
        assert_eq!(end(1, 3).place_in(&list), 2);
        assert_eq!(end(1, 4).place_in(&list), 4);
        // A game that is gone: as many as before.
        assert_eq!(
            (end(2, 8).place_in(&list), end(9, 8).place_in(&list), end(0, 0).place_in(&list)),
            (2, 4, 0)
        );
        assert_eq!(end(2, 3).to_string().parse(), Ok(end(2, 3)));
        for text in ["", "2", "-", "2-", "-3", "a-3", "2-3-4", "99999999999999999999999-1"] {
            assert_eq!(text.parse::<Cursor>(), Err(NoCursor), "{text}");
        }
    }
}
