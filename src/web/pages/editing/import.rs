//! `GET /import`: a form that imports files, and the report of an import.

use askama::Template;

use super::{Visit, log::latest};
use crate::{
    archive::LoggedChange,
    import::{ImportProblem, Report},
    printable,
    web::{
        Answer, AppState, Failure, RequestContext,
        pages::layout::{Page, answer},
    },
};

/// Changes that are listed next to the form.
const CHANGES: usize = 8;

#[derive(Template)]
#[template(path = "edit_import.html")]
struct ImportPage {
    page: Page,
    /// The name of the archive.
    archive: String,
    /// The number of its games.
    games: String,
    done: Option<Imported>,
    /// The numbers of a report that a script fills in.
    tally: Tally,
    changes: Vec<LoggedChange>,
    /// The game to return to after undoing.
    back: Option<(i64, usize)>,
}

/// The numbers of a report: the keys in JSON, their names and values.
type Tally = [(&'static str, &'static str, String); 4];

/// What an import did.
struct Imported {
    tally: Tally,
    is_bad: bool,
    problems: Vec<ImportProblem>,
    /// Whether a file has been imported before, so that only its new games were read.
    is_known: bool,
    /// More problems than are listed.
    more: Option<String>,
}

pub(in crate::web) fn edit_import(
    app: &AppState,
    context: &RequestContext<'_>,
    page: &Page,
) -> Result<Answer, Failure> {
    answer(&ImportPage {
        page: page.titled(page.words.edit_import),
        archive: printable::line(&app.name).into_owned(),
        games: page.language.games(app.count(context)?),
        done: None,
        tally: tally(page, &Report::default()),
        changes: latest(context, CHANGES)?,
        back: None,
    })
}

/// The page after an import.
pub(super) fn report_page(visit: &Visit, report: &Report) -> Result<Answer, Failure> {
    let (page, words) = (&visit.page, visit.page.words);
    let problems: Vec<ImportProblem> =
        [&report.failures, &report.rejects, &report.unfinished].into_iter().flatten().cloned().collect();
    let more = report.rejected.saturating_sub(report.rejects.len() as u64);
    let done = Imported {
        tally: tally(page, report),
        is_known: !report.known_sources.is_empty(),
        is_bad: !problems.is_empty(),
        problems,
        more: (more > 0).then(|| format!("{} {}", page.language.number(more), words.edit_more)),
    };
    answer(&ImportPage {
        // Links to this page in other languages lead to one that exists.
        page: Page { address: page.link("/import"), ..page.titled(words.edit_import) },
        archive: printable::line(&visit.archive).into_owned(),
        games: String::new(),
        done: Some(done),
        tally: tally(page, &Report::default()),
        changes: Vec::new(),
        back: None,
    })
}

fn tally(page: &Page, report: &Report) -> Tally {
    let (words, number) = (page.words, |games| page.language.number(games));
    [
        ("seen", words.edit_read, number(report.seen)),
        ("stored", words.edit_new, number(report.stored)),
        ("duplicate", words.edit_known, number(report.duplicate)),
        ("rejected", words.edit_rejected, number(report.rejected)),
    ]
}
