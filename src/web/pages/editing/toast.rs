//! The message after a change, with a button that undoes it.

use crate::{
    archive::LoggedChange,
    printable,
    web::{Failure, RequestContext, pages::layout::Page},
};

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
    pub(super) fn of(page: &Page, context: &RequestContext<'_>) -> Result<Option<Toast>, Failure> {
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
const MOST: usize = 80;

fn short(change: &LoggedChange) -> String {
    let command = change.command.strip_prefix("plybook ").unwrap_or(&change.command);
    let line = printable::line(command);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into_owned(),
    }
}
