//! `GET /games`: the games that a filter finds.

use askama::Template;
use axum::response::Response;

use super::{
    address::Address,
    conditions::OF_BOARD,
    filters::Filters,
    layout::{Page, Request, rendered, respond},
    list::{List, filter},
};
use crate::web::{AppState, Asked, Failure, Question};

/// Games of a page.
const GAMES: usize = 50;

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    page: Page,
    filters: Filters,
    /// Where the pattern is set up on a board.
    editor: Address,
    list: List,
}

pub(in crate::web) async fn games(question: Question) -> Response {
    respond(question, write).await
}

fn write(app: &AppState, asked: &Asked<'_>, request: &Request) -> Result<String, Failure> {
    let filter = filter(request)?;
    rendered(&GamesPage {
        page: request.page(request.words().games),
        filters: Filters::of(&request.address, request.words(), true),
        editor: request.address.to("/editor", &[&OF_BOARD[..], &["lang"]].concat()),
        list: List::new(app, asked, request, &filter, GAMES, true)?,
    })
}
