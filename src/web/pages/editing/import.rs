//! `GET /import`: a form that imports files, and the report of an import.

use askama::Template;

use super::{
    Visit,
    log::{LogEntry, latest},
};
use crate::{
    import::{ImportProblem, Report},
    printable,
    web::{
        Answer, RequestContext, Result,
        pages::{Page, answer},
    },
};

/// Changes that are listed next to the form.
const CHANGES: usize = 8;

#[derive(Template)]
#[template(path = "edit_import.html")]
struct ImportPage<'a> {
    page: Page,
    /// The name of the archive.
    archive: String,
    /// The number of its games.
    games: String,
    /// What an import did.
    report: Option<&'a Report>,
    problems: Vec<&'a ImportProblem>,
    changes: Vec<LogEntry>,
}

pub(in crate::web) fn edit_import(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    answer(&ImportPage {
        page: page.titled(page.words.edit_import),
        archive: printable::line(&context.app.name).into_owned(),
        games: page.language.games(context.count()?),
        report: None,
        problems: Vec::new(),
        changes: latest(context, page, CHANGES)?,
    })
}

/// The page after an import.
pub(super) fn report_page(visit: &Visit, report: &Report) -> Result<Answer> {
    let page = &visit.page;
    answer(&ImportPage {
        // Links to this page in other languages lead to one that exists.
        page: Page { address: page.link("/import"), ..page.titled(page.words.edit_import) },
        archive: printable::line(&visit.archive).into_owned(),
        games: String::new(),
        problems: [&report.failures, &report.rejects, &report.unfinished].into_iter().flatten().collect(),
        report: Some(report),
        changes: Vec::new(),
    })
}
