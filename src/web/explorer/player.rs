//! `GET /player`: what a player played in a position, or was answered there. One line, at once: nothing is fetched first.

use axum::{
    http::{HeaderName, HeaderValue},
    response::Response,
};

use super::{json_line, kind, told};
use crate::{
    archive::{Archive, Filter},
    present::book::{BookRequest, Dialect},
    query::BookOptions,
    rules::Color,
    web::{Failure, Question, parameters::Parameters},
};

/// How many games are listed if nothing is said, and the most.
const RECENT: usize = 8;

/// Tells proxies to hand lines on as they come.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

pub(in crate::web) async fn player(question: Question) -> Response {
    let answer = question.answer(move |_, asked, parameters| {
        let (request, side) = request(parameters, asked.archive)?;
        json_line(&told(asked, &request, Dialect::Player(side))?)
    });
    let mut response = answer.await;
    response.headers_mut().insert(BUFFERING, const { HeaderValue::from_static("no") });
    response
}

fn request(parameters: &Parameters, archive: &Archive) -> Result<(BookRequest, Color), Failure> {
    let missing = |name: &str| Failure::BadRequest(format!("{name}: there is none"));
    let name = parameters.text("player").ok_or_else(|| missing("player"))?;
    let side: Color = match parameters.text("color").ok_or_else(|| missing("color"))? {
        "white" => Color::White,
        "black" => Color::Black,
        other => return Err(Failure::BadRequest(format!("color: {other:?} is neither white nor black"))),
    };
    let variant = parameters.variant()?;
    let mut filter = Filter {
        kind: kind(variant),
        speed: parameters.speeds()?,
        casual: parameters.casual()?,
        ..Filter::default()
    };
    *side.fold_wb(&mut filter.white, &mut filter.black) = Some(pattern(name, archive)?);
    let (since, with_month) = parameters.months(&mut filter)?;
    let recent = parameters.count("recentGames", RECENT, RECENT)?;
    let request = BookRequest {
        line: parameters.line(variant)?,
        filter,
        options: BookOptions { with_month, recent, ..BookOptions::default() },
        moves: parameters.count("moves", usize::MAX, usize::MAX)?,
        since,
    };
    Ok((request, side))
}

/// The pattern of a name, which is compared by the rules for names of players. But one without a comma may be that of an
/// account: if the archive has it, no other one is meant that only has the same word. A star is only a letter here.
fn pattern(name: &str, archive: &Archive) -> Result<String, Failure> {
    let whole = format!("\"{name}\"");
    let is_plain = !name.contains(['*', '"']) && !name.trim().is_empty();
    let by_rules = is_plain && (name.contains(',') || archive.names().players(&whole)?.is_empty());
    Ok(if by_rules { name.to_owned() } else { whole })
}
