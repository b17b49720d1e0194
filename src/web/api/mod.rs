//! The JSON API of the pages: `/api/v1`.

mod export;
mod filter;
mod game;
mod games;
mod neighbours;
mod report;

use axum::response::Response;

pub(super) use self::{
    export::export,
    filter::filter,
    game::game,
    games::{after, games, list as games_list, matched_names, page as games_page},
    neighbours::neighbours,
    report::{LINES as REPORT_LINES, Report, answer as report_of, report},
};
use super::{Answer, AppState, Failure, Question, RequestContext, parameters::Parameters};
use crate::{archive::NameKind, limits::MAX_COMPLETIONS, present::archive_info::archive_info};

/// `GET /api/v1/info`: a summary of the archive.
pub(super) async fn info(question: Question) -> Response {
    let app = &question.app;
    app.respond(&app.quick, question.text(), &question.headers, |app, context| {
        Answer::json(&archive_info(&app.name, context.archive, context.index)?)
    })
    .await
}

/// `GET /api/v1/names`: names that begin with a prefix, with their games and years.
pub(super) fn names(
    _: &AppState,
    context: &RequestContext<'_>,
    parameters: &Parameters,
) -> Result<Answer, Failure> {
    let of = match parameters.text("kind") {
        Some("player") => NameKind::Player,
        Some("event") => NameKind::Event,
        Some("site") => NameKind::Site,
        _ => return Err(Failure::BadRequest("kind: must be player, event or site".to_owned())),
    };
    let begin = parameters.text("q").unwrap_or_default().trim();
    Answer::json(&context.archive.names().completions(of, begin, MAX_COMPLETIONS)?)
}
