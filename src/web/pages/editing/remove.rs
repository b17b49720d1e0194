//! `GET /edit/remove?id=…`, or `?all=1&in=…` for a complete list: the games that are to be removed, as they are now, and
//! a button that removes them.

use askama::Template;

use super::{Address, Answer, Failure, Page, RequestContext, Result, answer, edit_game::fingerprint_text};
use crate::{
    archive::{Filter, GameSet},
    limits::MAX_CHOSEN_GAMES,
    present::games::date_of_tags,
    record::{GameId, StoredGame, title},
    web::{
        pages::{
            from_list::{FromList, list_of},
            list::{date, shown, tag},
        },
        parameters::SEVERAL,
        reply::{Missing, Refused},
    },
};

#[derive(Template)]
#[template(path = "edit_remove.html")]
struct RemovePage {
    page: Page,
    games: Vec<RemovedGame>,
    /// Their number.
    count: String,
    /// The list to which removing leads back.
    list: Address,
}

/// A game that is to be removed.
struct RemovedGame {
    id: GameId,
    title: String,
    /// Its event and date, as far as they are known.
    about: String,
    link: Address,
    /// What it is now.
    fingerprint: String,
}

pub(in crate::web) fn edit_remove(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let most = MAX_CHOSEN_GAMES as usize;
    let list = list_of(&page.address);
    let ids: GameSet = match list.as_ref().filter(|_| page.address.get("all").is_some()) {
        // One more shows that there are too many.
        Some(list) => {
            FromList::named(list, context).map_or(Ok(Vec::new()), |list| list.ids(context, most + 1))?
        }
        None => named(page)?,
    }
    .into_iter()
    .collect();
    if ids.is_empty() {
        return Err(Failure::refused("", Refused::NoChoice));
    }
    if ids.len() > most {
        return Err(Failure::BadRequest(format!("id: expected the numbers of at most {most} games")));
    }
    let among = Filter { among: Some(ids), ..Filter::default() };
    let games = context.archive.games(&among).map(|game| removed(page, &game?));
    let games = games.collect::<Result<Vec<_>>>()?;
    if games.is_empty() {
        return Err(Missing::Games.into());
    }
    let list = list.unwrap_or_else(|| page.link("/games"));
    let count = page.language.games(games.len() as u64);
    answer(&RemovePage { page: page.titled(page.words.edit_remove_these), games, count, list })
}

/// The games that an address names.
fn named(page: &Page) -> Result<Vec<GameId>> {
    // An address joins the values of this parameter.
    let ids = page.address.get(SEVERAL).into_iter().flat_map(|ids| ids.split(','));
    let number =
        |id: &str| id.parse().map_err(|_| Failure::BadRequest(format!("id: {id:?} is not a number")));
    ids.map(number).collect()
}

fn removed(page: &Page, game: &StoredGame) -> Result<RemovedGame> {
    let [white, black, event, site] = ["White", "Black", "Event", "Site"].map(|name| tag(&game.tags, name));
    let day = date_of_tags(&game.tags).map(|text| shown(Some(&date(&text))));
    Ok(RemovedGame {
        id: game.id,
        title: shown(Some(&title(white, black, event, site))),
        about: [event.map(|event| shown(Some(event))), day]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · "),
        link: page.game_link(game.id),
        fingerprint: fingerprint_text(game)?,
    })
}
