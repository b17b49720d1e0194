//! `GET /api/v1/games`: a page of a list of games.

use std::{
    ops::ControlFlow::{self, Continue},
    sync::Arc,
};

use super::filter::{Found, filter};
use crate::{
    limits::MAX_PAGE_GAMES,
    present::FilterText,
    query::{Cursor, GamesPage, MatchedNames, early_page, first_page, page_by_id, page_of},
    record::GameId,
    web::{Answer, AppState, Failure, RequestContext, parameters::Parameters},
};

/// The default number of games per page.
const GAMES: usize = 50;

pub(in crate::web) fn games(
    app: &AppState,
    context: &RequestContext<'_>,
    parameters: &Parameters,
) -> Result<Answer, Failure> {
    let limit = parameters.count("limit", GAMES, MAX_PAGE_GAMES as usize)?;
    let after = after(parameters.text("after"))?;
    let filter = filter(parameters, &["limit", "after"])?;
    let page = page(app, context, &filter, after, limit)?;
    let games = page.total;
    Answer::json(&Found::new(page, games, context, &filter)?)
}

/// The cursor in a list of games after which a page begins.
pub(in crate::web) fn after(text: Option<&str>) -> Result<Option<Cursor>, Failure> {
    let wrong = |_| {
        Failure::BadRequest(
            "after: invalid cursor; use the value of \"next\" from the previous page".to_owned(),
        )
    };
    text.map(str::parse).transpose().map_err(wrong)
}

/// A page of the games that match a filter.
pub(in crate::web) fn page(
    app: &AppState,
    context: &RequestContext<'_>,
    filter: &FilterText,
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage, Failure> {
    if filter.is_every_game_by_id() {
        return Ok(page_by_id(context.archive, app.count(context)?, filter.desc, after, limit)?);
    }
    // The first games by some order are found faster than the complete list.
    if filter.is_every_game() {
        let total = app.count(context)?;
        let order = filter.filter(context.archive, None, |_| Continue(()))?.unwrap_or_default();
        let early = match after {
            None => Some(first_page(context.archive, total, order, limit)?),
            Some(_) if context.index.sorts_by(order.sort) => None,
            Some(after) => early_page(context.archive, total, order, after, limit)?,
        };
        if let Some(page) = early {
            return Ok(page);
        }
    }
    Ok(page_of(context.archive, &list(app, context, filter, || context.watch())?, after, limit)?)
}

/// The games that match a filter. `watch` may cancel the search.
pub(in crate::web) fn list(
    app: &AppState,
    context: &RequestContext<'_>,
    filter: &FilterText,
    watch: impl Fn() -> ControlFlow<()>,
) -> Result<Arc<Vec<GameId>>, Failure> {
    app.list(context, &format!("{filter:?}"), || {
        let filter = filter.filter(context.archive, context.index.if_any(), |_| watch())?;
        let filter = filter.ok_or(Failure::Unwanted)?;
        match context.index.sorted_ids(context.archive, &filter)? {
            Some(ids) => Ok(ids),
            None => Ok(context.archive.selection().sorted_ids(&filter)?),
        }
    })
}

/// The names that a filter matches, if there are several or if similar names exist.
pub(in crate::web) fn matched_names(
    app: &AppState,
    context: &RequestContext<'_>,
    filter: &FilterText,
) -> Result<Vec<MatchedNames>, Failure> {
    if !filter.names_players() {
        return Ok(Vec::new());
    }
    let list = list(app, context, filter, || context.watch())?;
    Ok(MatchedNames::of_games(context.archive, filter, list.iter().copied().collect())?)
}
