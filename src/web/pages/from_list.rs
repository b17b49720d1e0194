//! The list that a reader came from: links to games name it, and the page of a game leads to the next game of it.
//!
//! The parameter `in` is the URL of the list without its leading slash, for example `games?player=morphy&sort=date`.

use axum::http::Uri;

use super::{Address, Page, RequestContext, Result, address::OWN};
use crate::{
    present::FilterText,
    query::{Search, Target, TargetPosition},
    record::GameId,
    web::api,
};

/// The parameter.
const NAME: &str = "in";

/// The greatest length of the parameter; a longer list is not named.
const MAX_LENGTH: usize = 800;

/// The most bytes that all links of one page may spend on the parameter.
const MAX_REPEATED: usize = 1 << 15;

/// Pages with lists.
const LISTS: [&str; 2] = ["/games", "/explorer"];

/// A list of games.
pub(super) struct FromList {
    /// The page with the list, without its language.
    list: Address,
    filter: FilterText,
    position: Option<TargetPosition>,
    search: Option<Search>,
}

/// The games before and after a game in a list.
#[derive(Debug)]
pub(super) struct Neighbours {
    /// The list.
    pub(super) back: Address,
    /// The place of the game in the list, starting at 1, and the number of its games.
    pub(super) place: Option<(u64, u64)>,
    pub(super) previous: Option<Address>,
    pub(super) next: Option<Address>,
}

impl FromList {
    /// The list on a page, with the filter that selects and sorts its games.
    pub(super) fn of(list: &Address, filter: &FilterText, context: &RequestContext<'_>) -> Result<FromList> {
        let position = filter.get("position").map(|text| filter.sought(text, context.archive)).transpose()?;
        let search = filter.search()?.filter(|search| !search.lines.is_empty());
        let list = list.without(&["lang", "san", "ply", NAME]);
        Ok(FromList { list, filter: filter.clone(), position, search })
    }

    /// The list that the URL of a game names; `None` if it names none, or not a valid one.
    pub(super) fn read(address: &Address, context: &RequestContext<'_>) -> Option<FromList> {
        FromList::named(&list_of(address)?, context)
    }

    /// The list with a URL, if there is one.
    pub(super) fn named(list: &Address, context: &RequestContext<'_>) -> Option<FromList> {
        let filter = api::filter(list.parameters(), &OWN).ok()?;
        api::after(list.get("after")).ok()?;
        FromList::of(list, &in_usual_order(filter, list.path()), context).ok()
    }

    /// Whether boards show Black at the bottom: the list is of a player's games with Black, or its own board does.
    pub(super) fn is_flipped(&self) -> bool {
        let is_black = match self.filter.get("player") {
            Some(_) => self.filter.get("colour") == Some("black"),
            None => self.filter.has("black") && !self.filter.has("white"),
        };
        is_black || self.list.get("flip").is_some()
    }

    /// The link to a game of the list, at the position that the list is about.
    pub(super) fn link(&self, page: &Page, context: &RequestContext<'_>, id: GameId, flip: bool) -> Address {
        let mut link = page.game_link(id);
        if let Some(ply) = self.ply(context, id) {
            link.set("ply", &ply.to_string());
        }
        link.set("flip", if flip { "1" } else { "" });
        self.name_in(&mut link, 1);
        link
    }

    /// Names the list in a link, unless `links` such links would make the page long.
    pub(super) fn name_in(&self, link: &mut Address, links: usize) {
        let name = self.list.to_string();
        if name.len() <= MAX_LENGTH && name.len().saturating_mul(links) <= MAX_REPEATED {
            link.set(NAME, name.trim_start_matches('/'));
        }
    }

    /// The ply at which a game reaches the position or the pattern of the list.
    fn ply(&self, context: &RequestContext<'_>, id: GameId) -> Option<usize> {
        let target: &dyn Target = match (&self.position, &self.search) {
            (Some(position), _) => position,
            (None, search) => search.as_ref()?,
        };
        let moves = context.archive.moves_of(id).ok()??;
        target.first_ply(&moves).ok()?
    }

    /// The first games of the list, at most as many as given.
    pub(super) fn ids(&self, context: &RequestContext<'_>, most: usize) -> Result<Vec<GameId>> {
        let found = context.page(&self.filter, None, most)?;
        Ok(found.games.iter().map(|game| game.id).collect())
    }

    /// The games before and after a game in the list; `flip` keeps the side of the board.
    pub(super) fn neighbours(
        &self,
        context: &RequestContext<'_>,
        page: &Page,
        id: GameId,
        flip: bool,
    ) -> Result<Neighbours> {
        let found = context.neighbours(&self.filter, id)?;
        let link = |id: Option<GameId>| id.map(|id| self.link(page, context, id, flip));
        let mut back = self.list.clone();
        back.set("lang", page.chosen_language().unwrap_or_default());
        Ok(Neighbours { back, place: found.place, previous: link(found.previous), next: link(found.next) })
    }
}

/// The page with a list that a URL names, if it does.
pub(super) fn list_of(address: &Address) -> Option<Address> {
    let text = address.get(NAME).filter(|text| text.len() <= MAX_LENGTH)?;
    let list = Address::of(&format!("/{text}").parse::<Uri>().ok()?);
    LISTS.contains(&list.path()).then_some(list)
}

/// The filter of a list in the order that readers want first: the strongest games of a position, otherwise the newest.
pub(super) fn in_usual_order(mut filter: FilterText, list: &str) -> FilterText {
    if filter.sort.is_none() {
        let sort = if list == "/explorer" { "elo" } else { "date" };
        (filter.sort, filter.desc) = (Some(sort.to_owned()), true);
    }
    filter
}
