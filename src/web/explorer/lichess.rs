//! `GET /lichess`: what games of some speeds, ratings and months played in a position; `/lichess/history`: how many in
//! each month.

use axum::response::Response;

use super::{kind, masters::MOVES, told};
use crate::{
    archive::Filter,
    present::book::{BookRequest, Dialect},
    query::BookOptions,
    web::{Answer, Failure, Question, parameters::Parameters},
};

/// How many games are listed if nothing is said, and the most.
const GAMES: usize = 4;
const RECENT: usize = 8;

pub(in crate::web) async fn lichess(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            Answer::json(&told(asked, &request(parameters)?, Dialect::Server)?)
        })
        .await
}

/// The same with the history, and no lists.
pub(in crate::web) async fn history(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            let mut request = request(parameters)?;
            (request.options.history, request.moves) = (true, 0);
            (request.options.top, request.options.recent) = (0, 0);
            Answer::json(&told(asked, &request, Dialect::Server)?)
        })
        .await
}

fn request(parameters: &Parameters) -> Result<BookRequest, Failure> {
    let variant = parameters.variant()?;
    let mut filter = Filter { kind: kind(variant), speed: parameters.speeds()?, ..Filter::default() };
    let (since, with_month) = parameters.months(&mut filter)?;
    Ok(BookRequest {
        line: parameters.line(variant)?,
        filter,
        options: BookOptions {
            ratings: parameters.ratings()?,
            with_month,
            top: parameters.count("topGames", GAMES, GAMES)?,
            recent: parameters.count("recentGames", GAMES, RECENT)?,
            history: parameters.switch("history")?,
        },
        moves: parameters.count("moves", MOVES, usize::MAX)?,
        since,
    })
}
