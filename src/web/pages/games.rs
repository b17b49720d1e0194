//! `GET /games`: the games that match a filter.

use std::time::{Duration, Instant};

use askama::Template;

use super::{
    Address, Answer, Bar, Page, RequestContext, Result,
    address::OWN,
    answer,
    filters::{ActiveFilter, Filters, FormSection, of_board},
    from_list::in_usual_order,
    list::{List, filter, player_name},
};
use crate::{
    chess::Color,
    present::FilterText,
    report::{Player, player_score},
    web::api,
};

/// Games per page.
const GAMES: usize = 50;

/// The greatest number of games of which a player's score is computed.
const SCORED: u64 = 20_000;

/// The time for counting the games without one of the filters.
const COUNTING: Duration = Duration::from_millis(400);

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    page: Page,
    filters: Filters,
    /// The editor in which the pattern is set up.
    editor: Address,
    list: List,
    score: Option<PlayerScore>,
    /// If no game matches: the filters without which some do, with their numbers of games.
    ways: Vec<(ActiveFilter, u64)>,
}

/// The page of a filter that is refused: the form with what was entered.
#[derive(Template)]
#[template(path = "games_refused.html")]
pub(super) struct RefusedPage {
    page: Page,
    filters: Filters,
    editor: Address,
    why: String,
    /// An opening that may have been meant, and the page with it.
    opening: Option<(&'static str, Address)>,
}

impl RefusedPage {
    pub(super) fn new(page: Page, why: String, opening: Option<(&'static str, Address)>) -> RefusedPage {
        let mut filters = Filters::of(&page.address, page.language, true);
        // A value is wrong if the filter is refused with it and the right ones before it.
        let entered = filters.fields.iter().filter(|field| !field.value.is_empty());
        let mut out: Vec<&str> = entered.map(|field| field.condition.name).collect();
        let is_valid =
            |out: &[&str]| filter(&Page { address: page.address.without(out), ..page.clone() }).is_ok();
        if is_valid(&out) {
            for field in filters.fields.iter_mut().filter(|field| !field.value.is_empty()) {
                let name = field.condition.name;
                out.retain(|other| *other != name);
                field.is_wrong = !is_valid(&out);
                out.extend(field.is_wrong.then_some(name));
            }
        }
        RefusedPage { editor: editor(&page), filters, page, why, opening }
    }
}

/// The editor in which the pattern of a filter is set up.
fn editor(page: &Page) -> Address {
    let of_board: Vec<&str> = of_board().map(|condition| condition.name).chain(["lang"]).collect();
    page.address.to("/editor", &of_board)
}

/// The score of the selected player in the listed games.
struct PlayerScore {
    name: String,
    percent: f64,
    bar: Bar,
}

pub(in crate::web) fn games(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let page = page.titled(page.words.games);
    let filter = in_usual_order(filter(&page)?, "/games");
    let list = List::new(context, &page, &filter, GAMES, true)?;
    let ways = if list.games == 0 && list.unknown.is_empty() { ways(context, &page) } else { Vec::new() };
    answer(&GamesPage {
        filters: Filters::of(&page.address, page.language, true),
        editor: editor(&page),
        score: score(context, &page, &filter, list.games)?,
        list,
        ways,
        page,
    })
}

/// The score of the player that a filter names, if it names one.
fn score(
    context: &RequestContext<'_>,
    page: &Page,
    filter: &FilterText,
    games: u64,
) -> Result<Option<PlayerScore>> {
    let colour = filter.get("colour").and_then(|colour| colour.parse::<Color>().ok());
    let named = [("player", colour), ("white", Some(Color::White)), ("black", Some(Color::Black))];
    let mut named = named.into_iter().filter_map(|(name, colour)| Some((filter.get(name)?, colour)));
    let (Some((name, colour)), None, 1..=SCORED) = (named.next(), named.next(), games) else {
        return Ok(None);
    };
    let player = Player { name: name.to_owned(), colour, opponent: None };
    let games = context.list(filter)?.iter().copied().collect();
    let score = player_score(context.archive, &player, games)?;
    Ok(score.percent.map(|percent| PlayerScore {
        name: player_name(name.trim_matches('"')),
        percent,
        bar: Bar::of_player(page.language, score.known()),
    }))
}

/// The filters without which there are games, most games first. The time is limited.
fn ways(context: &RequestContext<'_>, page: &Page) -> Vec<(ActiveFilter, u64)> {
    let end = Instant::now() + COUNTING;
    let count = |address: &Address| -> Result<u64> {
        let filter = api::filter(address.parameters(), &OWN)?;
        if filter.is_every_game() {
            return context.count();
        }
        Ok(context.list_until(&filter, end)?.len() as u64)
    };
    let active = Filters::of(&page.address, page.language, true).active.into_iter();
    let in_time = active.take_while(|_| Instant::now() < end);
    let counted = in_time.filter_map(|active| Some((count(&active.without).ok()?, active)));
    let mut ways: Vec<_> = counted.filter(|(games, _)| *games > 0).map(|(games, of)| (of, games)).collect();
    ways.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    ways
}
