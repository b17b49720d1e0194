//! The JSON API of the pages: `/api/v1`.

mod export;
mod filter;
mod game;
mod games;

use axum::response::Response;

use self::filter::Found;
pub(super) use self::{
    export::export,
    filter::filter,
    game::game,
    games::{after, games},
};
use super::{Answer, Failure, Question, RequestContext, Result, parameters::Parameters};
use crate::{
    archive::NameKind,
    limits::{MAX_COMPLETIONS, MAX_REPORT_LINES},
    present::{FilterText, archive_info::archive_info, report::reported_player},
    report::{Overview, PlayerReport, overview, player_report},
};

/// `GET /api/v1/info`: a summary of the archive.
pub(super) async fn info(question: Question) -> Response {
    let app = &question.app;
    app.respond(&app.quick, question.text(), &question.headers, |context| {
        Answer::json(&archive_info(&context.app.name, context.query.with_index(Some(context.index)))?)
    })
    .await
}

/// `GET /api/v1/names`: names that begin with a prefix, with their games and years.
pub(super) fn names(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    let of = match parameters.text("kind") {
        Some("player") => NameKind::Player,
        Some("event") => NameKind::Event,
        Some("site") => NameKind::Site,
        _ => return Err(Failure::BadRequest("kind: must be player, event or site".to_owned())),
    };
    let begin = parameters.text("q").unwrap_or_default().trim();
    Answer::json(&context.archive.names().completions(of, begin, MAX_COMPLETIONS)?)
}

/// The default number of openings and endings in a report.
pub(super) const REPORT_LINES: usize = 10;

/// A report.
pub(super) enum Report {
    /// On a player.
    Player(Box<PlayerReport>),
    /// On the games that match a filter.
    Overview(Box<Overview>),
}

/// `GET /api/v1/report`: a report on a player or on games.
pub(super) fn report(context: &RequestContext<'_>, parameters: &Parameters) -> Result<Answer> {
    let lines = parameters.count("lines", REPORT_LINES, MAX_REPORT_LINES)?;
    let filter = filter(parameters, &["lines"])?;
    match report_of(context, &filter, lines)? {
        Report::Player(answer) => Answer::json(&Found::new(&answer, answer.games, context, &filter)?),
        Report::Overview(answer) => {
            Answer::json(&Found::new(&answer, answer.results.counts.games, context, &filter)?)
        }
    }
}

/// The report on the player that a filter names, or on the games that match it.
pub(super) fn report_of(context: &RequestContext<'_>, text: &FilterText, lines: usize) -> Result<Report> {
    let player = reported_player(text)?;
    let filter = context.filter(text)?;
    Ok(match player {
        Some(player) => Report::Player(Box::new(player_report(context.query, &player, &filter, lines)?)),
        None => Report::Overview(Box::new(overview(context.query, &filter, lines)?)),
    })
}
