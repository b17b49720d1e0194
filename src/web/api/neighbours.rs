//! The games before and after a game in a list.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::games::list;
use crate::{
    archive::{Filter, Summary},
    present::FilterText,
    query::page_at,
    record::GameId,
    web::{AppState, Failure, RequestContext},
};

/// The longest search for the list of a game, which only adds links to a page that the reader wants now.
const MAX_SEARCH: Duration = Duration::from_secs(1);

/// The first games of a list that are enough for most readers.
const FIRST: usize = 101;

/// The neighbours of a game in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::web) struct NeighbourIds {
    /// The place of the game, starting at 1, and the number of games, if the game is in the list and counting is cheap.
    pub place: Option<(u64, u64)>,
    pub previous: Option<GameId>,
    pub next: Option<GameId>,
}

/// The games before and after a game among those that match a filter; none if it is not one of them, or if the search
/// takes too long.
pub(in crate::web) fn neighbours(
    app: &AppState,
    context: &RequestContext<'_>,
    filter: &FilterText,
    id: GameId,
) -> Result<NeighbourIds, Failure> {
    if filter.is_every_game_by_id() {
        return by_id(context, filter.desc, id);
    }
    if filter.is_every_game()
        && let Some(found) = among_first(app, context, filter, id)?
    {
        return Ok(found);
    }
    let end = Instant::now() + MAX_SEARCH;
    let watch = || if Instant::now() < end { context.watch() } else { ControlFlow::Break(()) };
    let ids = match list(app, context, filter, watch) {
        Err(Failure::Unwanted) if context.watch().is_continue() => return Ok(NeighbourIds::default()),
        ids => ids?,
    };
    let games = ids.len() as u64;
    Ok(NeighbourIds::among(&ids, games, id).unwrap_or_default())
}

impl NeighbourIds {
    /// The neighbours in the first of `games` games; `None` if the game is not one of them.
    fn among(ids: &[GameId], games: u64, id: GameId) -> Option<NeighbourIds> {
        let place = ids.iter().position(|other| *other == id)?;
        Some(NeighbourIds {
            place: Some((place as u64 + 1, games)),
            previous: place.checked_sub(1).and_then(|place| ids.get(place).copied()),
            next: ids.get(place + 1).copied(),
        })
    }
}

/// The neighbours among the first of all games in some order, which are found faster than the complete list unless the
/// index sorts them.
fn among_first(
    app: &AppState,
    context: &RequestContext<'_>,
    filter: &FilterText,
    id: GameId,
) -> Result<Option<NeighbourIds>, Failure> {
    let order = filter.filter(context.archive, None, |_| ControlFlow::Continue(()))?.unwrap_or_default();
    if context.index.sorts_by(order.sort) {
        return Ok(None);
    }
    let games = app.count(context)?;
    let first = page_at(context.archive, games, order, 0, FIRST)?.games;
    let ids: Vec<GameId> = first.iter().map(|game| game.id).collect();
    Ok(NeighbourIds::among(&ids, games, id).filter(|found| found.next.is_some()))
}

/// The neighbours in the list of all games by id, which is not held in memory.
fn by_id(context: &RequestContext<'_>, descending: bool, id: GameId) -> Result<NeighbourIds, Failure> {
    let first = |ids, descending| -> Result<Option<GameId>, Failure> {
        let filter = Filter { ids: Some(ids), descending, limit: Some(1), ..Filter::default() };
        Ok(context.archive.list::<Summary>(&filter).next().transpose()?.map(|game| game.id))
    };
    let lower = first(GameId::MIN..=id.saturating_sub(1), true)?;
    let higher = first(id.saturating_add(1)..=GameId::MAX, false)?;
    let (previous, next) = if descending { (higher, lower) } else { (lower, higher) };
    Ok(NeighbourIds { place: None, previous, next })
}
