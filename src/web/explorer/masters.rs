//! `GET /masters`: what the games of some years played in a position.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Uri},
    response::Response,
};

use super::{kind, told};
use crate::{
    archive::Filter,
    present::{BookRequest, Dialect},
    query::BookOptions,
    web::{Answer, AppState, Failure, parameters::Parameters},
};

/// The most games that are listed, and how many are if nothing is said; moves likewise.
const GAMES: usize = 15;
pub(super) const MOVES: usize = 12;

pub(in crate::web) async fn masters(
    State(app): State<Arc<AppState>>,
    address: Uri,
    headers: HeaderMap,
) -> Response {
    let query = address.query().map(str::to_owned);
    app.respond(&address, &headers, move |_, asked| {
        Answer::json(&told(asked, &request(&Parameters::new(query.as_deref()))?, Dialect::Masters)?)
    })
    .await
}

fn request(parameters: &Parameters) -> Result<BookRequest, Failure> {
    let variant = parameters.variant()?;
    let mut filter = Filter { kind: kind(variant), ..Filter::default() };
    parameters.years(&mut filter)?;
    let top = parameters.count("topGames", GAMES, GAMES)?;
    Ok(BookRequest {
        line: parameters.line(variant)?,
        filter,
        options: BookOptions { top, ..BookOptions::default() },
        moves: parameters.count("moves", MOVES, usize::MAX)?,
        since: None,
    })
}
