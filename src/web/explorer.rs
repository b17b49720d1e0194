//! The routes for clients of opening explorers. `docs/serve.md` lists the parameters and answers, and the intentional
//! differences from the public explorers.

use axum::{
    extract::Path,
    http::{HeaderName, HeaderValue},
    response::Response,
};

use super::{
    Answer, Failure, Question, RequestContext, Result,
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

/// The default and maximum number of games in `/masters`, and of moves.
const TOP: usize = 15;
const MOVES: usize = 12;

/// The default and maximum number of top games in `/lichess`.
const GAMES: usize = 4;
/// The maximum number of recent games, and the default in `/player`.
const RECENT: usize = 8;

/// Tells proxies to forward lines immediately.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// `GET /masters`: moves played in a position, in games of some years.
pub(super) fn masters(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    let variant = parameters.variant()?;
    let mut filter = Filter { kind: kind(variant), ..Filter::default() };
    parameters.years(&mut filter)?;
    let top = parameters.count("topGames", TOP, TOP)?;
    let request = BookRequest {
        line: parameters.line(variant)?,
        filter,
        options: BookOptions { top, ..BookOptions::default() },
        moves: parameters.count("moves", MOVES, usize::MAX)?,
        since: None,
    };
    Answer::json(&answer(context, &request, Dialect::Masters)?)
}

/// `GET /lichess`: moves played in a position, in games of some speeds, ratings and months.
pub(super) fn lichess(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    Answer::json(&answer(context, &lichess_request(parameters)?, Dialect::Server)?)
}

/// `GET /lichess/history`: the same with the number of games in each month, without lists.
pub(super) fn history(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    let mut request = lichess_request(parameters)?;
    (request.options.history, request.moves) = (true, 0);
    (request.options.top, request.options.recent) = (0, 0);
    Answer::json(&answer(context, &request, Dialect::Server)?)
}

fn lichess_request(parameters: &Parameters) -> Result<BookRequest> {
    let mut request = request(parameters, GAMES, MOVES)?;
    request.options.ratings = parameters.ratings()?;
    request.options.top = parameters.count("topGames", GAMES, GAMES)?;
    request.options.history = parameters.switch("history")?;
    Ok(request)
}

/// A position, and games of some speeds and months; with the usual numbers of recent games and of moves.
fn request(parameters: &Parameters, recent: usize, moves: usize) -> Result<BookRequest> {
    let variant = parameters.variant()?;
    let mut filter = Filter { kind: kind(variant), speed: parameters.speeds()?, ..Filter::default() };
    let (since, with_month) = parameters.months(&mut filter)?;
    let recent = parameters.count("recentGames", recent, RECENT)?;
    let options = BookOptions { with_month, recent, ..BookOptions::default() };
    let moves = parameters.count("moves", moves, usize::MAX)?;
    Ok(BookRequest { line: parameters.line(variant)?, filter, options, moves, since })
}

/// `GET /player`: moves played in a position by a player or the player's opponents. One line, sent immediately: nothing
/// has to be fetched first.
pub(super) async fn player(question: Question) -> Response {
    let answer = question.answer(move |context, parameters| {
        let (request, side) = player_request(parameters, context.archive)?;
        let answer = answer(context, &request, Dialect::Player(side))?;
        let line = serde_json::to_string(&answer).map_err(Failure::internal)?;
        Ok(Answer::new(JSON_LINES, (line + "\n").into_bytes()))
    });
    let mut response = answer.await;
    response.headers_mut().insert(BUFFERING, const { HeaderValue::from_static("no") });
    response
}

fn player_request(parameters: &Parameters, archive: &Archive) -> Result<(BookRequest, Color)> {
    let missing = |name| Failure::invalid(name, "this parameter is required");
    let name = parameters.text("player").ok_or_else(|| missing("player"))?;
    let side: Color = match parameters.text("color").ok_or_else(|| missing("color"))? {
        "white" => Color::White,
        "black" => Color::Black,
        other => {
            return Err(Failure::invalid("color", format_args!("must be white or black, not {other:?}")));
        }
    };
    let mut request = request(parameters, RECENT, usize::MAX)?;
    request.filter.casual = parameters.casual()?;
    *side.fold_wb(&mut request.filter.white, &mut request.filter.black) = Some(pattern(name, archive)?);
    Ok((request, side))
}

/// The pattern of a name, which is compared by the rules for player names. A name without a comma may also be an
/// account name: if the archive has exactly this name, only this name is meant, and not others that contain the same
/// word. A star is an ordinary letter here.
fn pattern(name: &str, archive: &Archive) -> Result<String> {
    let whole = format!("\"{name}\"");
    let is_plain = !name.contains(['*', '"']) && !name.trim().is_empty();
    let by_rules = is_plain && (name.contains(',') || archive.names().players(&whole)?.is_empty());
    Ok(if by_rules { name.to_owned() } else { whole })
}

/// `GET /masters/pgn/{id}`: a game as PGN, with everything that is stored.
pub(super) async fn pgn(Path(id): Path<String>, question: Question) -> Response {
    question
        .answer(move |context, _| {
            let wrong = format_args!("{id:?} is not a valid game id; ids have 8 letters and digits");
            let id = read_public_id(&id).ok_or_else(|| Failure::invalid("id", wrong))?;
            let pgn = game::pgn(context.archive, id)?;
            Ok(Answer::new(PGN, pgn.into_bytes()))
        })
        .await
}

/// The answer for a position.
fn answer(context: &RequestContext<'_>, request: &BookRequest, dialect: Dialect) -> Result<BookAnswer> {
    book_answer(context.query, request, dialect)?.ok_or(Failure::Unwanted)
}

/// The kind of games to scan: standard chess includes games of Chess960.
fn kind(variant: Variant) -> Option<GameKind> {
    Some(GameKind::Chess(variant)).filter(|_| variant != Variant::Standard)
}
