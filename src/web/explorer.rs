//! The routes that clients of opening explorers ask. What each takes and answers, and where it differs from the public
//! ones on purpose, stands in `docs/serve.md`.

use axum::{
    extract::Path,
    http::{HeaderName, HeaderValue},
    response::Response,
};

use super::{
    Answer, Asked, Failure, Question,
    parameters::Parameters,
    reply::{JSON_LINES, PGN},
};
use crate::{
    archive::{Archive, Filter},
    chess::Variant,
    present::{
        book::{BookAnswer, BookRequest, Dialect, book_answer, read_public_id},
        game,
    },
    query::BookOptions,
    record::GameKind,
    rules::Color,
};

/// Games that `/masters` lists if nothing is said, and the most; moves likewise.
const TOP: usize = 15;
const MOVES: usize = 12;

/// Games that `/lichess` lists if nothing is said, and the most of the best ones.
const GAMES: usize = 4;
/// The most of the latest ones, and as many as `/player` lists if nothing is said.
const RECENT: usize = 8;

/// Tells proxies to hand lines on as they come.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// `GET /masters`: what the games of some years played in a position.
pub(super) async fn masters(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            Answer::json(&told(asked, &masters_request(parameters)?, Dialect::Masters)?)
        })
        .await
}

fn masters_request(parameters: &Parameters) -> Result<BookRequest, Failure> {
    let variant = parameters.variant()?;
    let mut filter = Filter { kind: kind(variant), ..Filter::default() };
    parameters.years(&mut filter)?;
    let top = parameters.count("topGames", TOP, TOP)?;
    Ok(BookRequest {
        line: parameters.line(variant)?,
        filter,
        options: BookOptions { top, ..BookOptions::default() },
        moves: parameters.count("moves", MOVES, usize::MAX)?,
        since: None,
    })
}

/// `GET /lichess`: what games of some speeds, ratings and months played in a position.
pub(super) async fn lichess(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            Answer::json(&told(asked, &lichess_request(parameters)?, Dialect::Server)?)
        })
        .await
}

/// `GET /lichess/history`: the same with how many games there were in each month, and no lists.
pub(super) async fn history(question: Question) -> Response {
    question
        .answer(move |_, asked, parameters| {
            let mut request = lichess_request(parameters)?;
            (request.options.history, request.moves) = (true, 0);
            (request.options.top, request.options.recent) = (0, 0);
            Answer::json(&told(asked, &request, Dialect::Server)?)
        })
        .await
}

fn lichess_request(parameters: &Parameters) -> Result<BookRequest, Failure> {
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

/// `GET /player`: what a player played in a position, or was answered there. One line, at once: nothing is fetched first.
pub(super) async fn player(question: Question) -> Response {
    let answer = question.answer(move |_, asked, parameters| {
        let (request, side) = player_request(parameters, asked.archive)?;
        json_line(&told(asked, &request, Dialect::Player(side))?)
    });
    let mut response = answer.await;
    response.headers_mut().insert(BUFFERING, const { HeaderValue::from_static("no") });
    response
}

fn player_request(parameters: &Parameters, archive: &Archive) -> Result<(BookRequest, Color), Failure> {
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

/// `GET /masters/pgn/{id}`: a game as PGN, with everything that was stored of it.
pub(super) async fn pgn(Path(id): Path<String>, question: Question) -> Response {
    question
        .answer(move |_, asked, _| {
            let wrong = || Failure::BadRequest(format!("id: {id:?} is none; ids have 8 letters and digits"));
            let pgn = game::pgn(asked.archive, read_public_id(&id).ok_or_else(wrong)?)?;
            Ok(Answer::new(PGN, pgn.into_bytes()))
        })
        .await
}

/// What is told of a position.
fn told(asked: &Asked<'_>, request: &BookRequest, dialect: Dialect) -> Result<BookAnswer, Failure> {
    let mut watch = |_| asked.watch();
    let told = book_answer(asked.archive, asked.index.if_any(), request, dialect, &mut watch)?;
    told.ok_or(Failure::Unwanted)
}

/// The kind of games to look through: of standard chess, games of Chess960 are among them.
fn kind(variant: Variant) -> Option<GameKind> {
    Some(GameKind::Chess(variant)).filter(|_| variant != Variant::Standard)
}

/// A line of JSON.
fn json_line(told: &BookAnswer) -> Result<Answer, Failure> {
    let mut line = serde_json::to_vec(told).map_err(|error| Failure::Internal(error.to_string()))?;
    line.push(b'\n');
    Ok(Answer::new(JSON_LINES, line))
}
