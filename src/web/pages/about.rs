//! `GET /about`: which archive this is, and what made the page.

use askama::Template;
use axum::response::Response;

use super::layout::{Page, Request, rendered, respond};
use crate::{
    present::{
        archive_info::{ArchiveInfo, archive_info},
        games::known_date,
    },
    printable,
    web::{AppState, Asked, Failure, Question, assets::Asset},
};

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage {
    page: Page,
    /// What the archive is: names and values.
    facts: Vec<(&'static str, String)>,
    /// The games of each variant.
    variants: Vec<(&'static str, String)>,
    version: &'static str,
    licences: String,
}

pub(in crate::web) async fn about(question: Question) -> Response {
    respond(question, write).await
}

fn write(app: &AppState, asked: &Asked<'_>, request: &Request) -> Result<String, Failure> {
    let info = archive_info(&app.name, asked.archive, asked.index)?;
    let licences = Asset::all().iter().find(|asset| asset.is_text());
    let variants = info.variants.iter().map(|row| (row.variant, request.language.number(row.games)));
    rendered(&AboutPage {
        page: request.page(request.words().about),
        variants: variants.collect(),
        facts: facts(info, request),
        version: env!("CARGO_PKG_VERSION"),
        licences: licences.map(Asset::path).unwrap_or_default(),
    })
}

fn facts(info: ArchiveInfo, request: &Request) -> Vec<(&'static str, String)> {
    let (words, number) = (request.words(), |number| request.language.number(number));
    let dates = [&info.first_date, &info.last_date].into_iter().flatten();
    let dates: Vec<&str> = dates.map(|text| known_date(text)).collect();
    let facts = vec![
        (words.file, printable::line(&info.name).into_owned()),
        (words.games, number(info.games)),
        (words.plies, number(info.plies)),
        (words.dates, dates.join(" – ")),
        (words.indexed, number(info.indexed_games)),
        (words.format, info.version.to_string()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}
