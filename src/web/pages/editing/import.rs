//! `GET /import`: a form that imports files, and the report of an import.

use askama::Template;
use serde::Serialize;

use super::{
    Answer, Language, Page, RequestContext, Result, Visit, answer,
    log::{LogEntry, latest},
};
use crate::{
    import::{ImportProblem, Report},
    printable,
};

/// Entries of the log that are listed next to the form.
const ENTRIES: usize = 8;

#[derive(Template)]
#[template(path = "edit_import.html")]
struct ImportPage<'a> {
    page: Page,
    /// The name of the archive.
    archive: String,
    /// The number of its games.
    games: String,
    imported: Option<&'a Imported>,
    problems: Vec<&'a ImportProblem>,
    entries: Vec<LogEntry>,
}

/// What an import did.
#[derive(Serialize)]
pub(in crate::web) struct Imported {
    #[serde(flatten)]
    pub report: Report,
    /// What was noted about games, and how many it concerns.
    pub notes: Vec<(&'static str, u64)>,
    /// The pasted text, if something in it is to be corrected.
    #[serde(skip)]
    pub pasted: Option<String>,
    /// The number of the file of the games that were left out, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
}

impl Imported {
    /// The report with its reasons and notes in a language.
    pub(in crate::web) fn in_language(mut self, language: Language) -> Imported {
        let Report { rejects, warnings, .. } = &mut self.report;
        for problem in rejects.iter_mut().chain(warnings) {
            let Some(why) = problem.rejected.as_ref().filter(|_| language != Language::English) else {
                continue;
            };
            let why = language.said(why);
            match &mut problem.detail {
                Some(detail) => *detail = why,
                None => problem.reason = why,
            }
        }
        let noted = self.report.notes().map(|(note, count)| (language.words().note(note), count));
        self.notes = noted.collect();
        self
    }
}

pub(in crate::web) fn edit_import(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    answer(&ImportPage {
        page: page.titled(page.words.edit_import),
        archive: printable::line(&context.app.name).into_owned(),
        games: page.language.games(context.count()?),
        imported: None,
        problems: Vec::new(),
        entries: latest(context, page, ENTRIES)?,
    })
}

/// The page after an import.
pub(super) fn report_page(visit: &Visit, imported: &Imported) -> Result<Answer> {
    let (page, report) = (&visit.page, &imported.report);
    answer(&ImportPage {
        // Links to this page in other languages lead to one that exists.
        page: Page { address: page.link("/import"), ..page.titled(page.words.edit_import) },
        archive: printable::line(&visit.app.name).into_owned(),
        games: String::new(),
        problems: [&report.failures, &report.rejects, &report.unfinished]
            .into_iter()
            .flatten()
            .chain(report.warnings.iter().filter(|warning| warning.detail.is_some()))
            .collect(),
        imported: Some(imported),
        entries: Vec::new(),
    })
}
