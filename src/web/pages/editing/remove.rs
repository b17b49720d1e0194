//! `GET /edit/remove?id=…`: the games that are to be removed, as they are now, and a button that removes them.

use askama::Template;
use axum::response::Response;

use super::edit_game::fingerprint_text;
use crate::{
    archive::Filter,
    limits::MAX_PAGE_GAMES,
    record::{GameId, StoredGame, title},
    web::{
        Failure, Question, RequestContext,
        pages::{
            address::Address,
            layout::{Page, rendered, respond_uncached},
            list::{shown, tag},
        },
    },
};

#[derive(Template)]
#[template(path = "edit_remove.html")]
struct RemovePage {
    page: Page,
    games: Vec<RemovedGame>,
}

/// A game that is to be removed.
struct RemovedGame {
    id: GameId,
    title: String,
    date: String,
    link: Address,
    /// What it is now.
    fingerprint: String,
}

pub(in crate::web) async fn edit_remove(question: Question) -> Response {
    // An address keeps only one value of each name.
    let query = question.address.query().unwrap_or_default();
    let ids = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "id");
    let ids: Vec<String> = ids.map(|(_, id)| id.into_owned()).collect();
    respond_uncached(question, move |_, context, page| write(context, page, &ids)).await
}

fn write(context: &RequestContext<'_>, page: &Page, ids: &[String]) -> Result<String, Failure> {
    let most = MAX_PAGE_GAMES as usize;
    if ids.is_empty() || ids.len() > most {
        return Err(Failure::BadRequest(format!("id: expected the numbers of 1 to {most} games")));
    }
    let number =
        |id: &String| id.parse().map_err(|_| Failure::BadRequest(format!("id: {id:?} is not a number")));
    let ids = ids.iter().map(number).collect::<Result<_, Failure>>()?;
    let among = Filter { among: Some(ids), ..Filter::default() };
    let games = context.archive.games(&among).map(|game| removed(page, &game?));
    let games = games.collect::<Result<Vec<_>, Failure>>()?;
    if games.is_empty() {
        return Err(Failure::NotFound("the archive does not have these games".to_owned()));
    }
    rendered(&RemovePage { page: page.titled(page.words.edit_remove_these), games })
}

fn removed(page: &Page, game: &StoredGame) -> Result<RemovedGame, Failure> {
    let [white, black, event, site, date] =
        ["White", "Black", "Event", "Site", "Date"].map(|name| tag(&game.tags, name));
    Ok(RemovedGame {
        id: game.id,
        title: shown(Some(&title(white, black, event, site))),
        date: shown(date),
        link: page.link(format!("/game/{}", game.id)),
        fingerprint: fingerprint_text(game)?,
    })
}
