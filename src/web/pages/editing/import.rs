//! `GET /import`: a form that imports files, and the report of an import.

use std::collections::BTreeMap;

use askama::Template;
use serde::Serialize;

use super::{
    Answer, Language, Page, RequestContext, Result, Visit, answer,
    log::{LogEntry, latest},
};
use crate::{
    archive::{Archive, ArchiveError},
    import::{ImportProblem, Report},
    pgn::RejectReason,
    printable,
    record::GameId,
    web::pages::list::shown,
};

/// The beginning of the names of texts that were pasted.
pub(in crate::web) const PASTED: &str = "pasted-";

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
    noted: Vec<NotedGame<'a>>,
    entries: Vec<LogEntry>,
}

/// A game that was stored, and what of it was not understood.
struct NotedGame<'a> {
    id: GameId,
    title: String,
    problems: Vec<&'a ImportProblem>,
}

/// What an import did.
#[derive(Default, Serialize)]
pub(in crate::web) struct Imported {
    #[serde(flatten)]
    pub report: Report,
    /// What was noted about games, and how many it concerns.
    pub notes: Vec<(&'static str, u64)>,
    /// Whether the games were pasted.
    #[serde(skip)]
    pub is_pasted: bool,
    /// What of a pasted text was not stored.
    #[serde(skip)]
    pub not_stored: Option<String>,
    /// The players of games that were stored with something not understood.
    #[serde(skip)]
    pub titles: BTreeMap<GameId, String>,
    /// The number of the file of the games that were left out, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
}

impl Imported {
    /// A pasted text without games.
    pub(in crate::web) fn without_games(text: String) -> Imported {
        let why = RejectReason::NotPgn;
        let problem =
            ImportProblem { reason: why.to_string(), rejected: Some(why), ..ImportProblem::default() };
        let mut report = Report::default();
        (report.seen, report.rejected, report.rejects) = (1, 1, vec![problem]);
        Imported { report, is_pasted: true, not_stored: Some(text), ..Imported::default() }
    }

    /// The players of the games that are named as stored.
    pub(in crate::web) fn titles(
        archive: &Archive,
        report: &Report,
    ) -> Result<BTreeMap<GameId, String>, ArchiveError> {
        let ids = report.warnings.iter().filter(|warning| warning.detail.is_some());
        ids.filter_map(|warning| warning.stored).map(|id| Ok((id, archive.game(id)?.title()))).collect()
    }

    fn noted(&self) -> Vec<NotedGame<'_>> {
        let mut games: BTreeMap<GameId, Vec<&ImportProblem>> = BTreeMap::new();
        for problem in self.report.warnings.iter().filter(|warning| warning.detail.is_some()) {
            // Duplicates have no id.
            problem.stored.into_iter().for_each(|id| games.entry(id).or_default().push(problem));
        }
        let title = |id| shown(self.titles.get(&id).map(String::as_str));
        games.into_iter().map(|(id, problems)| NotedGame { id, title: title(id), problems }).collect()
    }

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
        noted: Vec::new(),
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
        problems: [&report.failures, &report.rejects, &report.unfinished].into_iter().flatten().collect(),
        noted: imported.noted(),
        imported: Some(imported),
        entries: Vec::new(),
    })
}
