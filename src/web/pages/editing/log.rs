//! `GET /log`: the changes and imports of the archive, with buttons that undo or redo changes; and the message after a
//! change.

use std::hash::BuildHasher;

use askama::Template;

use super::{Answer, Page, RequestContext, Result, answer, import::PASTED};
use crate::{archive::LoggedChange, edit::ChangeSentence, printable, web::AppState};

/// The parameter of the URL of a page that is shown after a change.
pub(in crate::web::pages) const DONE: &str = "done";

/// Maximum number of entries listed.
const MOST: usize = 200;

#[derive(Template)]
#[template(path = "edit_log.html")]
struct LogPage {
    page: Page,
    /// The latest first.
    entries: Vec<LogEntry>,
}

/// An entry of the log.
#[derive(Clone, Debug)]
pub(in crate::web::pages) struct LogEntry {
    /// The change.
    pub change: Option<LoggedChange>,
    /// What it did.
    pub text: String,
    /// When it was made: UTC, ISO 8601.
    pub made: String,
    /// When it was made, in the time zone of this machine.
    pub time: String,
}

pub(in crate::web) fn edit_log(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    answer(&LogPage { page: page.titled(page.words.edit_log), entries: latest(context, page, MOST)? })
}

/// The latest entries.
pub(super) fn latest(context: &RequestContext<'_>, page: &Page, most: usize) -> Result<Vec<LogEntry>> {
    let changes = context.archive.changes()?.into_iter().rev().take(most);
    changes.map(|change| LogEntry::of_change(context, page, change)).collect()
}

impl LogEntry {
    pub(super) fn of_change(
        context: &RequestContext<'_>,
        page: &Page,
        change: LoggedChange,
    ) -> Result<LogEntry> {
        let mut change = change;
        for name in change.import.iter_mut().flat_map(|import| &mut import.names) {
            if name.starts_with(PASTED) {
                page.words.edit_pasted.clone_into(name);
            }
        }
        let sentence = ChangeSentence::of(context.archive, &change)?;
        let template = page.words.sentence(sentence.template);
        let games = page.language.games(sentence.games);
        let text = sentence.fill(template, page.words.tag_label(&sentence.tag), &games);
        let text = if change.import.is_some() { format!("{text}: {games}") } else { text };
        let entry = LogEntry::new(context, text, change.made.clone())?;
        Ok(LogEntry { change: Some(change), ..entry })
    }

    fn new(context: &RequestContext<'_>, text: String, made: String) -> Result<LogEntry> {
        let time = context.archive.local_time(&made)?;
        Ok(LogEntry { change: None, text: short(&text), made, time })
    }

    /// Whether it is a change that was undone.
    pub(in crate::web::pages) fn is_undone(&self) -> bool {
        self.change.as_ref().is_some_and(|change| change.undone)
    }
}

/// A message about a change, if a page was opened after it.
#[derive(Clone, Debug)]
pub(in crate::web::pages) enum Toast {
    /// Nothing has changed.
    Nothing,
    /// A change was made or undone.
    Change(Box<LogEntry>),
}

impl Toast {
    /// The parameter of a URL for a change. Its proof can only be known from this server, so the log is not shown to
    /// readers who may not edit.
    pub(super) fn parameter(app: &AppState, change: Option<i64>) -> String {
        change.map_or("0".to_owned(), |id| format!("{id}-{:016x}", app.tags.hash_one(("toast", id))))
    }

    /// The message of a page, if its URL names a change.
    pub(in crate::web::pages) fn of(page: &Page, context: &RequestContext<'_>) -> Result<Option<Toast>> {
        let Some(named) = page.address.get(DONE).filter(|_| page.edits) else { return Ok(None) };
        if named == Toast::parameter(context.app, None) {
            return Ok(Some(Toast::Nothing));
        }
        let mut changes = context.archive.changes()?.into_iter();
        let found = changes.find(|change| Toast::parameter(context.app, Some(change.id)) == named);
        found
            .map(|change| {
                LogEntry::of_change(context, page, change).map(|entry| Toast::Change(Box::new(entry)))
            })
            .transpose()
    }
}

/// Longest sentence, in characters.
const LONGEST: usize = 200;

fn short(text: &str) -> String {
    let line = printable::line(text);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into_owned(),
    }
}
