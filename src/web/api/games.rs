//! `GET /api/v1/games`: a page of a list of games; and the games before and after a game in such a list.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::filter::{Found, filter};
use crate::{
    archive::{Filter, Summary},
    limits::MAX_PAGE_GAMES,
    present::FilterText,
    query::{Context, Cursor, GamesPage, MatchedNames, early_page, first_page, page_by_id, page_of},
    record::GameId,
    web::{Answer, Failure, RequestContext, Result, parameters::Parameters},
};

/// The default number of games per page.
const GAMES: usize = 50;

pub fn games(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    let limit = parameters.count("limit", GAMES, MAX_PAGE_GAMES as usize)?;
    let after = after(parameters.text("after"))?;
    let filter = filter(parameters, &["limit", "after"])?;
    let page = page(context, &filter, after, limit)?;
    let games = page.total;
    Answer::json(&Found::new(page, games, context, &filter)?)
}

/// The cursor in a list of games after which a page begins.
pub(in crate::web) fn after(text: Option<&str>) -> Result<Option<Cursor>> {
    let why = "invalid cursor; use the value of \"next\" from the previous page";
    text.map(str::parse).transpose().map_err(|_| Failure::invalid("after", why))
}

/// A page of the games that match a filter.
pub(in crate::web) fn page(
    context: &RequestContext<'_>,
    filter: &FilterText,
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage> {
    if filter.is_every_game_by_id() {
        return Ok(page_by_id(context.archive, context.count()?, filter.desc, after, limit)?);
    }
    // The first games by some order are found faster than the complete list.
    if filter.is_every_game() {
        let total = context.count()?;
        let order = order(context, filter)?;
        let early = match after {
            None => {
                let first = first_ids(context, filter, FIRST.max(limit))?;
                Some(first_page(context.archive, total, &first, limit)?)
            }
            Some(_) if context.index.sorts_by(order.sort) => None,
            Some(after) => early_page(context.archive, total, order, after, limit)?,
        };
        if let Some(page) = early {
            return Ok(page);
        }
    }
    Ok(page_of(context.archive, &list(context, context.query, filter)?, after, limit)?)
}

/// The order of a filter without conditions.
fn order(context: &RequestContext<'_>, filter: &FilterText) -> Result<Filter> {
    Ok(filter.filter(Context::new(context.archive))?)
}

/// The first of all games in the order of a filter without conditions, which are found faster than the complete list.
fn first_ids(context: &RequestContext<'_>, filter: &FilterText, most: usize) -> Result<Arc<Vec<GameId>>> {
    context.app.lists.get_or(context.state, &format!("first {most} {filter:?}"), || {
        let order = order(context, filter)?;
        if let Some(ids) = context.index.first_ids(context.archive, &order, most)? {
            return Ok(ids);
        }
        let first = Filter { limit: Some(most as u64), ..order };
        Ok(context.archive.list::<GameId>(&first).collect::<Result<_, _>>()?)
    })
}

/// The games that match a filter. `query` is that of the request, perhaps with another watch.
pub(in crate::web) fn list(
    context: &RequestContext<'_>,
    query: Context<'_>,
    filter: &FilterText,
) -> Result<Arc<Vec<GameId>>> {
    context.app.lists.get_or(context.state, &format!("{filter:?}"), || {
        let filter = filter.filter(query)?;
        match context.index.sorted_ids(context.archive, &filter)? {
            Some(ids) => Ok(ids),
            None => Ok(context.archive.sorted_ids(&filter)?),
        }
    })
}

/// The names that a filter matches, if there are several or if similar names exist.
pub(in crate::web) fn matched_names(
    context: &RequestContext<'_>,
    filter: &FilterText,
) -> Result<Vec<MatchedNames>> {
    if !filter.names_players() {
        return Ok(Vec::new());
    }
    let list = list(context, context.query, filter)?;
    Ok(MatchedNames::of_games(context.archive, filter, list.iter().copied().collect())?)
}

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
    context: &RequestContext<'_>,
    filter: &FilterText,
    id: GameId,
) -> Result<NeighbourIds> {
    if filter.is_every_game_by_id() {
        return by_id(context, filter.desc, id);
    }
    if filter.is_every_game()
        && let Some(found) = among_first(context, filter, id)?
    {
        return Ok(found);
    }
    let end = Instant::now() + MAX_SEARCH;
    let watch = |_| context.watch_until(end);
    let ids = match list(context, context.query.watched_by(&watch), filter) {
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

/// The neighbours among the first of all games in some order.
fn among_first(
    context: &RequestContext<'_>,
    filter: &FilterText,
    id: GameId,
) -> Result<Option<NeighbourIds>> {
    let ids = first_ids(context, filter, FIRST)?;
    Ok(NeighbourIds::among(&ids, context.count()?, id).filter(|found| found.next.is_some()))
}

/// The neighbours in the list of all games by id, which is not held in memory.
fn by_id(context: &RequestContext<'_>, descending: bool, id: GameId) -> Result<NeighbourIds> {
    let first = |ids, descending| -> Result<Option<GameId>> {
        let filter = Filter { ids: Some(ids), descending, limit: Some(1), ..Filter::default() };
        Ok(context.archive.list::<Summary>(&filter).next().transpose()?.map(|game| game.id))
    };
    let lower = first(GameId::MIN..=id.saturating_sub(1), true)?;
    let higher = first(id.saturating_add(1)..=GameId::MAX, false)?;
    let (previous, next) = if descending { (higher, lower) } else { (lower, higher) };
    Ok(NeighbourIds { place: None, previous, next })
}
