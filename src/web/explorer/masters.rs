//! `GET /masters`: what the games of some years played in a position.

use axum::response::Response;

use super::{kind, told};
use crate::{
    archive::Filter,
    present::book::{BookRequest, Dialect},
    query::BookOptions,
    web::{Answer, Failure, Question, parameters::Parameters},
};

/// The most games that are listed, and how many are if nothing is said; moves likewise.
const GAMES: usize = 15;
pub(super) const MOVES: usize = 12;

pub(in crate::web) async fn masters(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            Answer::json(&told(asked, &request(parameters)?, Dialect::Masters)?)
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
