//! `GET /search` and `GET /api/v1/suggest`: what a text typed into the search field of the header may mean.

use askama::Template;
use serde::Serialize;

use super::{Address, Answer, Messages, Page, RequestContext, Result, answer, list::player_name};
use crate::{
    present::typed::{Hit, HitKind, Meanings, Place, Searched},
    printable,
};

/// The most hits of each kind on the page, and among the suggestions.
const ON_PAGE: usize = 20;
const WHILE_TYPING: usize = 3;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: Page,
    /// The typed text; may be empty.
    typed: String,
    groups: Vec<Group>,
    is_similar: bool,
}

/// The hits of one kind.
#[derive(Debug, Serialize)]
struct Group {
    kind: HitKind,
    label: &'static str,
    hits: Vec<Link>,
}

impl Group {
    /// The name of a hit as a page shows it.
    fn shown(&self, hit: &Link) -> String {
        if self.kind == HitKind::Player { player_name(&hit.name) } else { hit.name.clone() }
    }
}

/// A hit with its page.
#[derive(Debug, Serialize)]
struct Link {
    name: String,
    /// What tells it apart, and its number of games.
    about: String,
    url: String,
}

/// The answer to a typed text for the script.
#[derive(Debug, Serialize)]
struct Suggestions {
    groups: Vec<Group>,
    /// Whether no name begins this way, and the hits are only similar.
    similar: bool,
}

pub(in crate::web) fn search(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let typed = page.address.get("q").unwrap_or_default().trim();
    let found = found(context, typed, ON_PAGE)?;
    if let Some(hit) = found.clear() {
        return Answer::redirect(&format!(".{}", address(page, hit)));
    }
    let typed = printable::line(typed).into_owned();
    let title = if typed.is_empty() {
        page.words.search.to_owned()
    } else {
        format!("{} “{typed}”", page.words.results_for)
    };
    let page = page.titled(&title);
    let groups = groups(&page, &found);
    answer(&SearchPage { typed, groups, is_similar: found.is_similar, page })
}

pub(in crate::web) fn suggest(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let typed = page.address.get("q").unwrap_or_default();
    let found = found(context, typed, WHILE_TYPING)?;
    Answer::json(&Suggestions { groups: groups(page, &found), similar: found.is_similar })
}

fn found(context: &RequestContext<'_>, typed: &str, most: usize) -> Result<Meanings> {
    let (archive, index, counted) = (context.archive, context.index.if_any(), context.counted_names()?);
    Ok(Meanings::of(&Searched { archive, index, counted, most }, typed)?)
}

fn groups(page: &Page, found: &Meanings) -> Vec<Group> {
    let group = |hits: &Vec<Hit>| {
        let kind = hits.first()?.kind;
        let hits = hits.iter().map(|hit| Link::new(page, hit)).collect();
        let label = if found.any_castling { page.words.any_castling } else { label(kind, page.words) };
        Some(Group { kind, label, hits })
    };
    found.groups.iter().filter_map(group).collect()
}

fn label(kind: HitKind, words: &Messages) -> &'static str {
    match kind {
        HitKind::Position => words.positions,
        HitKind::Game | HitKind::Games => words.games,
        HitKind::Opening => words.opening_names,
        HitKind::Player => words.players,
        HitKind::Event => words.events,
    }
}

impl Link {
    fn new(page: &Page, hit: &Hit) -> Link {
        let games = hit.games.map(|games| page.language.games(games)).unwrap_or_default();
        let about = [printable::line(&hit.detail).into_owned(), games];
        let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
        Link {
            name: printable::line(&hit.name).into_owned(),
            about: about.join(" · "),
            url: address(page, hit).to_string(),
        }
    }
}

/// The page of a hit.
fn address(page: &Page, hit: &Hit) -> Address {
    match (&hit.place, hit.kind) {
        (Place::Position { fen, play }, _) => page.link("/explorer").with("fen", fen).with("play", play),
        (Place::Game(id), _) => page.game_link(*id),
        (Place::Edition { event, year }, _) => page.name_link("event", event).with("year", year),
        (Place::Games(conditions), _) => {
            conditions.iter().fold(page.link("/games"), |link, (name, text)| link.with(name, text))
        }
        (Place::Name, HitKind::Opening) => page.name_link("opening", &hit.name),
        (Place::Name, HitKind::Event) => page.name_link("event", &hit.name),
        (Place::Name, _) => page.name_link("player", &hit.name),
    }
}
