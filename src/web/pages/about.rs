//! `GET /about`: which archive this is, and the components of the page.

use askama::Template;

use super::{Answer, Page, RequestContext, Result, answer, list::date};
use crate::{
    present::archive_info::{ArchiveInfo, archive_info},
    web::assets::{Asset, AssetType},
};

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage {
    page: Page,
    info: ArchiveInfo,
    version: &'static str,
    licences: String,
}

pub(in crate::web) fn about(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let info = archive_info(&context.app.name, context.query.with_index(Some(context.index)))?;
    let licences = Asset::all().iter().find(|asset| asset.kind == AssetType::Text);
    answer(&AboutPage {
        page: page.titled(page.words.about),
        info,
        version: env!("CARGO_PKG_VERSION"),
        licences: licences.map(Asset::path).unwrap_or_default(),
    })
}

/// The first and last date of a game, as far as they are known.
pub(super) fn dates(info: &ArchiveInfo) -> String {
    let dates = [info.extent.first_date, info.extent.last_date].into_iter().flatten();
    dates.map(|day| date(&day.known())).collect::<Vec<_>>().join(" – ")
}
