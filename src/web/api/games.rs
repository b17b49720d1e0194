//! `GET /api/v1/games`: a page of a list of games; and the games before and after a game in such a list.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::filter::{Found, filter};
use crate::{
    archive::Filter,
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
    let page = context.page(&filter, after, limit)?;
    let games = page.total;
    Answer::json(&Found::new(page, games, context, &filter)?)
}

/// The cursor in a list of games after which a page begins.
pub(in crate::web) fn after(text: Option<&str>) -> Result<Option<Cursor>> {
    let why = "invalid cursor; use the value of \"next\" from the previous page";
    text.map(str::parse).transpose().map_err(|_| Failure::invalid("after", why))
}

/// The longest search for the list of a game, which only adds links to a page that the reader wants now.
const MAX_SEARCH: Duration = Duration::from_secs(1);

/// The first games of a list that are enough for most readers.
const FIRST: usize = 101;

/// Lists of games.
impl RequestContext<'_> {
    /// A page of the games that match a filter.
    pub(in crate::web) fn page(
        &self,
        filter: &FilterText,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<GamesPage> {
        if filter.is_every_game_by_id() {
            return Ok(page_by_id(self.archive, self.count()?, filter.desc, after, limit)?);
        }
        // The first games by some order are found faster than the complete list.
        if filter.is_every_game() {
            let total = self.count()?;
            let order = self.order(filter)?;
            let early = match after {
                None => {
                    let first = self.first_ids(filter, FIRST.max(limit))?;
                    Some(first_page(self.archive, total, &first, limit)?)
                }
                Some(_) if self.index.sorts_by(order.sort) => None,
                Some(after) => early_page(self.archive, total, order, after, limit)?,
            };
            if let Some(page) = early {
                return Ok(page);
            }
        }
        Ok(page_of(self.archive, &self.list(filter)?, after, limit)?)
    }

    /// The order of a filter without conditions.
    fn order(&self, filter: &FilterText) -> Result<Filter> {
        Ok(filter.filter(Context::new(self.archive))?)
    }

    /// The first of all games in the order of a filter without conditions, which are found faster than the complete list.
    fn first_ids(&self, filter: &FilterText, most: usize) -> Result<Arc<Vec<GameId>>> {
        self.app.lists.get_or(self.state, &format!("first {most} {filter:?}"), || {
            let order = self.order(filter)?;
            if let Some(ids) = self.index.first_ids(self.archive, &order, most)? {
                return Ok(ids);
            }
            let first = Filter { limit: Some(most as u64), ..order };
            Ok(self.archive.list::<GameId>(&first).collect::<Result<_, _>>()?)
        })
    }

    /// The games that match a filter.
    pub(in crate::web) fn list(&self, filter: &FilterText) -> Result<Arc<Vec<GameId>>> {
        self.list_with(self.query, filter)
    }

    /// The same until a time.
    pub(in crate::web) fn list_until(&self, filter: &FilterText, end: Instant) -> Result<Arc<Vec<GameId>>> {
        self.list_with(self.query.watched_by(&|_| self.watch_until(end)), filter)
    }

    fn list_with(&self, query: Context<'_>, filter: &FilterText) -> Result<Arc<Vec<GameId>>> {
        self.app.lists.get_or(self.state, &format!("{filter:?}"), || {
            let filter = filter.filter(query)?;
            match self.index.sorted_ids(self.archive, &filter)? {
                Some(ids) => Ok(ids),
                None => Ok(self.archive.sorted_ids(&filter)?),
            }
        })
    }

    /// The names that a filter matches, if there are several or if similar names exist.
    pub(in crate::web) fn matched_names(&self, filter: &FilterText) -> Result<Vec<MatchedNames>> {
        if !filter.names_players() {
            return Ok(Vec::new());
        }
        let games = self.list(filter)?.iter().copied().collect();
        Ok(MatchedNames::of_games(self.archive, filter, games)?)
    }

    /// The games before and after a game among those that match a filter; none if it is not one of them, or if the search
    /// takes too long.
    pub(in crate::web) fn neighbours(&self, filter: &FilterText, id: GameId) -> Result<NeighbourIds> {
        if filter.is_every_game_by_id() {
            return self.neighbours_by_id(filter.desc, id);
        }
        if filter.is_every_game() {
            let among = NeighbourIds::among(&self.first_ids(filter, FIRST)?, self.count()?, id);
            if let Some(found) = among.filter(|found| found.next.is_some()) {
                return Ok(found);
            }
        }
        let ids = match self.list_until(filter, Instant::now() + MAX_SEARCH) {
            Err(Failure::Unwanted) if self.watch().is_continue() => return Ok(NeighbourIds::default()),
            ids => ids?,
        };
        Ok(NeighbourIds::among(&ids, ids.len() as u64, id).unwrap_or_default())
    }

    /// The neighbours in the list of all games by id, which is not held in memory.
    fn neighbours_by_id(&self, descending: bool, id: GameId) -> Result<NeighbourIds> {
        let first = |ids, descending| -> Result<Option<GameId>> {
            let filter = Filter { ids: Some(ids), descending, limit: Some(1), ..Filter::default() };
            Ok(self.archive.list::<GameId>(&filter).next().transpose()?)
        };
        let lower = first(GameId::MIN..=id.saturating_sub(1), true)?;
        let higher = first(id.saturating_add(1)..=GameId::MAX, false)?;
        let (previous, next) = if descending { (higher, lower) } else { (lower, higher) };
        Ok(NeighbourIds { place: None, previous, next })
    }
}

/// The neighbours of a game in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::web) struct NeighbourIds {
    /// The place of the game, starting at 1, and the number of games, if the game is in the list and counting is cheap.
    pub place: Option<(u64, u64)>,
    pub previous: Option<GameId>,
    pub next: Option<GameId>,
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
