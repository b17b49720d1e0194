//! `GET /about`: which archive this is, and the components of the page.

use askama::Template;

use super::layout::{Page, answer};
use crate::{
    present::{
        archive_info::{ArchiveInfo, archive_info},
        games::known_date,
    },
    printable,
    web::{
        Answer, AppState, Failure, RequestContext,
        assets::{Asset, AssetType},
    },
};

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage {
    page: Page,
    /// Names and values that describe the archive.
    facts: Vec<(&'static str, String)>,
    /// The games of each variant.
    variants: Vec<(&'static str, String)>,
    version: &'static str,
    licences: String,
}

pub(in crate::web) fn about(
    app: &AppState,
    context: &RequestContext<'_>,
    page: &Page,
) -> Result<Answer, Failure> {
    let info = archive_info(&app.name, context.archive, context.index)?;
    let licences = Asset::all().iter().find(|asset| asset.kind == AssetType::Text);
    let variants = info.variants.iter().map(|row| (row.variant, page.language.number(row.games)));
    answer(&AboutPage {
        page: page.titled(page.words.about),
        variants: variants.collect(),
        facts: facts(info, page),
        version: env!("CARGO_PKG_VERSION"),
        licences: licences.map(Asset::path).unwrap_or_default(),
    })
}

fn facts(info: ArchiveInfo, page: &Page) -> Vec<(&'static str, String)> {
    let (words, number) = (page.words, |number| page.language.number(number));
    let facts = vec![
        (words.file, printable::line(&info.name).into_owned()),
        (words.games, number(info.games)),
        (words.plies, number(info.plies)),
        (words.dates, dates(&info)),
        (words.indexed, number(info.indexed_games)),
        (words.format, info.version.to_string()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// The first and last date of a game, as far as they are known.
pub(super) fn dates(info: &ArchiveInfo) -> String {
    let dates = [&info.first_date, &info.last_date].into_iter().flatten();
    dates.map(|text| known_date(text)).collect::<Vec<_>>().join(" – ")
}
