//! `GET /api/v1/report`: a report on a player or on games.

use super::filter::{Found, filter};
use crate::{
    limits::MAX_REPORT_LINES,
    present::{FilterText, report::reported_player},
    report::{Overview, PlayerReport, overview, player_report},
    web::{Answer, AppState, Failure, RequestContext, parameters::Parameters},
};

/// The default number of openings and endings in a report.
pub(in crate::web) const LINES: usize = 10;

/// A report.
pub(in crate::web) enum Report {
    /// On a player.
    Player(Box<PlayerReport>),
    /// On the games that match a filter.
    Overview(Box<Overview>),
}

pub(in crate::web) fn report(
    _: &AppState,
    context: &RequestContext<'_>,
    parameters: &Parameters,
) -> Result<Answer, Failure> {
    let lines = parameters.count("lines", LINES, MAX_REPORT_LINES)?;
    let filter = filter(parameters, &["lines"])?;
    match answer(context, &filter, lines)? {
        Report::Player(answer) => Answer::json(&Found::new(&answer, answer.games, context, &filter)?),
        Report::Overview(answer) => {
            Answer::json(&Found::new(&answer, answer.results.counts.games, context, &filter)?)
        }
    }
}

/// The report on the player that a filter names, or on the games that match it.
pub(in crate::web) fn answer(
    context: &RequestContext<'_>,
    text: &FilterText,
    lines: usize,
) -> Result<Report, Failure> {
    let (archive, index) = (context.archive, context.index.if_any());
    let player = reported_player(text)?;
    let filter = text.filter(archive, index, |_| context.watch())?.ok_or(Failure::Unwanted)?;
    let watch = |_| context.watch();
    Ok(match player {
        Some(player) => {
            let answer = player_report(archive, &player, &filter, lines, watch)?;
            Report::Player(Box::new(answer.ok_or(Failure::Unwanted)?))
        }
        None => {
            let answer = overview(archive, index, &filter, lines, watch)?;
            Report::Overview(Box::new(answer.ok_or(Failure::Unwanted)?))
        }
    })
}
