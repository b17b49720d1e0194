//! `GET /api/v1/games`: a page of a list of games.

use axum::response::Response;

use super::{Found, filter::filter};
use crate::{
    limits::MAX_PAGE_GAMES,
    present::{Cursor, FilterText, GamesPage, first_page, page_by_id, page_of, sorted_games},
    web::{Answer, AppState, Asked, Failure, Question},
};

/// Games of a page if nothing is said.
const GAMES: usize = 50;

pub(in crate::web) async fn games(question: Question) -> Response {
    question
        .answer(move |app, asked, parameters| {
            let limit = parameters.count("limit", GAMES, MAX_PAGE_GAMES as usize)?;
            let wrong = || Failure::BadRequest("after: take it from the page before".to_owned());
            let after = parameters.text("after").map(|text| text.parse().map_err(|_| wrong())).transpose()?;
            let filter = filter(parameters, &["limit", "after"])?;
            let page = page(app, asked, &filter, after, limit)?;
            let games = page.total;
            Answer::json(&Found::new(page, games, asked, &filter)?)
        })
        .await
}

/// A page of the games that a filter finds.
pub(in crate::web) fn page(
    app: &AppState,
    asked: &Asked<'_>,
    filter: &FilterText,
    after: Option<Cursor>,
    limit: usize,
) -> Result<GamesPage, Failure> {
    if filter.is_every_game_by_id() {
        return Ok(page_by_id(asked.archive, app.count(asked)?, filter.desc, after, limit)?);
    }
    // Of all games the first ones by something else are found sooner than all of them.
    if after.is_none() && filter.is_every_game() {
        return Ok(first_page(asked.archive, app.count(asked)?, filter, limit)?);
    }
    let list = app.list(asked, &format!("{filter:?}"), || {
        let found = sorted_games(asked.archive, asked.index.if_any(), filter, |_| asked.watch())?;
        found.ok_or(Failure::Unwanted)
    })?;
    Ok(page_of(asked.archive, &list.0, after, limit)?)
}
