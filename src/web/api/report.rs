//! `GET /api/v1/report`: a report on a player or on games.

use axum::response::Response;

use super::filter::{Found, filter};
use crate::{
    limits::MAX_REPORT_LINES,
    present::{FilterText, report::reported_player},
    report::{Overview, PlayerReport, overview, player_report},
    web::{Answer, Asked, Failure, Question},
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

pub(in crate::web) async fn report(question: Question) -> Response {
    question
        .answer(|_, asked, parameters| {
            let lines = parameters.count("lines", LINES, MAX_REPORT_LINES)?;
            let filter = filter(parameters, &["lines"])?;
            match told(asked, &filter, lines)? {
                Report::Player(told) => Answer::json(&Found::new(&told, told.games, asked, &filter)?),
                Report::Overview(told) => {
                    Answer::json(&Found::new(&told, told.results.counts.games, asked, &filter)?)
                }
            }
        })
        .await
}

/// The report on the player that a filter names, or on the games that match it.
pub(in crate::web) fn told(asked: &Asked<'_>, text: &FilterText, lines: usize) -> Result<Report, Failure> {
    let (archive, index) = (asked.archive, asked.index.if_any());
    let player = reported_player(text)?;
    let filter = text.filter(archive, index, |_| asked.watch())?.ok_or(Failure::Unwanted)?;
    let watch = |_| asked.watch();
    Ok(match player {
        Some(player) => {
            let told = player_report(archive, &player, &filter, lines, watch)?;
            Report::Player(Box::new(told.ok_or(Failure::Unwanted)?))
        }
        None => {
            let told = overview(archive, index, &filter, lines, watch)?;
            Report::Overview(Box::new(told.ok_or(Failure::Unwanted)?))
        }
    })
}
