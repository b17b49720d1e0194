//! `GET /edit/undo?change=N`: the games of a change, to choose those for which it is undone.

use askama::Template;

use super::{Answer, Page, RequestContext, Result, answer, log::LogEntry};
use crate::{
    archive::{ChangedGame, LoggedChange},
    limits::MAX_CHOSEN_GAMES,
    printable,
    web::{pages::list::date, reply::Missing},
};

#[derive(Template)]
#[template(path = "edit_undo_some.html")]
struct UndoSomePage {
    page: Page,
    change: LoggedChange,
    entry: LogEntry,
    games: Vec<ChangedGame>,
    /// What is said if there are more games.
    first_only: Option<String>,
}

pub(in crate::web) fn edit_undo_some(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let id: Option<i64> = page.address.get("change").and_then(|id| id.parse().ok());
    let mut changes = context.archive.changes()?.into_iter();
    let change = changes.find(|change| Some(change.id) == id && !change.undone);
    let change = change.ok_or(Missing::Change)?;
    let games = context.archive.changed_games(&change, MAX_CHOSEN_GAMES)?;
    let listed = games.len() as u64;
    // Others have been brought back.
    let games = games.into_iter().filter(|game| game.is_as_left).collect();
    let first_only = page.words.edit_first_games.replace("{count}", &page.language.number(listed));
    answer(&UndoSomePage {
        page: page.titled(page.words.edit_undo_some),
        entry: LogEntry::of_change(context, page, change.clone())?,
        first_only: (change.games > listed).then_some(first_only),
        games,
        change,
    })
}

/// Date and round of a game, whose name has the year.
fn when(page: &Page, game: &ChangedGame) -> String {
    let day = game.date.map(|day| date(&day.known())).filter(|day| day.contains('-'));
    let round = game.round.as_deref().filter(|round| !matches!(*round, "" | "?" | "-"));
    let round = round.map(|round| format!("{} {}", page.words.round, printable::line(round)));
    [day, round].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
