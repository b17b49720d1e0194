//! `GET /games`: the games that match a filter.

use askama::Template;
use axum::response::Response;

use super::{
    address::Address,
    filters::{Filters, of_board},
    layout::{Page, rendered, respond},
    list::{List, filter},
};
use crate::web::{AppState, Failure, Question, RequestContext};

/// Games per page.
const GAMES: usize = 50;

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    page: Page,
    filters: Filters,
    /// The editor in which the pattern is set up.
    editor: Address,
    list: List,
}

pub(in crate::web) async fn games(question: Question) -> Response {
    respond(question, write).await
}

fn write(app: &AppState, context: &RequestContext<'_>, page: &Page) -> Result<String, Failure> {
    let (filter, search) = filter(page)?;
    let of_board: Vec<&str> = of_board().map(|condition| condition.name).chain(["lang"]).collect();
    rendered(&GamesPage {
        page: page.titled(page.words.games),
        filters: Filters::of(&page.address, page.language, true),
        editor: page.address.to("/editor", &of_board),
        list: List::new(app, context, page, (&filter, search.as_ref()), GAMES, true)?,
    })
}
