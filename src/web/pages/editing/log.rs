//! `GET /log`: the changes of the archive, each with a button that undoes or redoes it; and the message after a change.

use askama::Template;

use crate::{
    archive::LoggedChange,
    printable,
    web::{
        Answer, RequestContext, Result,
        pages::{Page, answer},
    },
};

/// Maximum number of changes listed.
const MOST: usize = 200;

#[derive(Template)]
#[template(path = "edit_log.html")]
struct LogPage {
    page: Page,
    /// The latest first.
    changes: Vec<LoggedChange>,
    toast: Option<Toast>,
    /// The game to return to after undoing.
    back: Option<(i64, usize)>,
}

pub(in crate::web) fn edit_log(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    answer(&LogPage {
        page: page.titled(page.words.edit_log),
        changes: latest(context, MOST)?,
        toast: Toast::of(page, context)?,
        back: None,
    })
}

/// A time as it is shown: `2026-11-26 23:09 UTC`.
pub(super) fn time(made: &str) -> String {
    let minutes = made.get(..16).unwrap_or(made);
    format!("{} UTC", minutes.replace('T', " "))
}

/// The latest changes.
pub(super) fn latest(context: &RequestContext<'_>, most: usize) -> Result<Vec<LoggedChange>> {
    let mut changes = context.archive.changes()?;
    changes.reverse();
    changes.truncate(most);
    Ok(changes)
}

/// A message about the change that a URL names.
#[derive(Debug)]
pub(super) struct Toast {
    /// What was done or undone.
    pub text: String,
    /// The change and when it was made, if it can be undone or redone.
    pub change: Option<(i64, String)>,
    pub is_undone: bool,
}

impl Toast {
    /// The message of a page, if its URL names a change.
    pub(super) fn of(page: &Page, context: &RequestContext<'_>) -> Result<Option<Toast>> {
        let words = page.words;
        let is_undone = page.address.get("undone").is_some();
        let Some(named) = page.address.get("undone").or(page.address.get("done")) else { return Ok(None) };
        if named == "0" {
            return Ok(Some(Toast { text: words.edit_nothing.to_owned(), change: None, is_undone }));
        }
        let changes = context.archive.changes()?;
        let found = changes.into_iter().find(|change| change.id.to_string() == named);
        Ok(found.filter(|change| change.undone == is_undone).map(|change| {
            let what = if is_undone { words.edit_was_undone } else { words.edit_was_done };
            let text = format!("{what}: {}", short(&change));
            Toast { text, change: Some((change.id, change.made)), is_undone }
        }))
    }
}

/// Longest command in a message, in characters.
const LONGEST: usize = 80;

fn short(change: &LoggedChange) -> String {
    let command = change.command.strip_prefix("plybook ").unwrap_or(&change.command);
    let line = printable::line(command);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into_owned(),
    }
}
