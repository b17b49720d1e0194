//! The answer to a name that no player, event or opening has.

use askama::Template;
use serde_json::json;

use super::{
    super::list::player_name, Address, Answer, Form, Page, RequestContext, Result, answer, rows::NameLink,
};
use crate::{
    archive::{CountedName, NameKind},
    openings::{OpeningError, Openings},
    printable,
};

/// The most similar names.
const NEAR: usize = 12;

#[derive(Template)]
#[template(path = "unknown_name.html")]
struct UnknownPage {
    page: Page,
    /// What is not there, before the name.
    message: &'static str,
    name: String,
    /// Similar names with their numbers of games and years, and their pages.
    near: Vec<NameLink>,
    /// The list of all names.
    all: Address,
}

/// The answer for a player or an event.
pub(super) fn unknown(
    context: &RequestContext<'_>,
    page: &Page,
    of: NameKind,
    name: &str,
    form: Form,
) -> Result<Answer> {
    let names = context.archive.names();
    let mut near = names.near(of, name, NEAR)?;
    if near.is_empty() {
        near = names.completions(of, name, NEAR)?;
    }
    let kind = if of == NameKind::Player { "player" } else { "event" };
    let shown = |of: &CountedName| {
        let years = of.years().map_or(String::new(), |years| format!(", {years}"));
        let games = page.language.games(of.games);
        (player_name(&of.name), games + &years, page.name_link(kind, &of.name))
    };
    nothing(page, page.lacks(&of), name, form, near.iter().map(shown).collect(), &format!("/{kind}s"))
}

/// The answer for an opening.
pub(super) fn unknown_opening(page: &Page, name: &str, form: Form) -> Result<Answer> {
    let table = Openings::standard();
    let mut near: Vec<&str> = match table.shortest(name) {
        Err(OpeningError::Several { names, .. }) => names,
        Err(OpeningError::Unknown { similar, .. }) => similar.into_iter().collect(),
        _ => Vec::new(),
    };
    near.truncate(NEAR);
    let shown = |name: &str| {
        let eco =
            table.iter().find(|(_, opening)| opening.name == name).map_or("", |(_, opening)| opening.eco);
        (name.to_owned(), eco.to_owned(), page.name_link("opening", name))
    };
    nothing(page, page.words.no_opening, name, form, near.into_iter().map(shown).collect(), "/openings")
}

fn nothing(
    page: &Page,
    message: &'static str,
    name: &str,
    form: Form,
    near: Vec<NameLink>,
    list: &str,
) -> Result<Answer> {
    if form != Form::Page {
        let similar: Vec<&str> = near.iter().map(|(name, ..)| name.as_str()).collect();
        let error = format!("not found: {name:?}");
        return Ok(Answer::json(&json!({ "error": error, "status": 404, "similar": similar }))?.missing());
    }
    let name = printable::line(name).into_owned();
    let all = page.link(list).with("q", &name);
    let page = page.titled(page.words.not_found);
    Ok(answer(&UnknownPage { page, message, name, near, all })?.missing())
}
