//! `GET /log`: the changes of the archive, each with a button that undoes or redoes it.

use askama::Template;
use axum::response::Response;

use super::toast::Toast;
use crate::{
    archive::LoggedChange,
    web::{
        Failure, Question, RequestContext,
        pages::layout::{Page, rendered, respond_uncached},
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

pub(in crate::web) async fn edit_log(question: Question) -> Response {
    respond_uncached(question, |_, context, page| write(context, page)).await
}

fn write(context: &RequestContext<'_>, page: &Page) -> Result<String, Failure> {
    rendered(&LogPage {
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
pub(super) fn latest(context: &RequestContext<'_>, most: usize) -> Result<Vec<LoggedChange>, Failure> {
    let mut changes = context.archive.changes()?;
    changes.reverse();
    changes.truncate(most);
    Ok(changes)
}
