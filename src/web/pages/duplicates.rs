//! `GET /duplicates`: games that are probably stored twice, side by side, and how each pair is resolved.

use askama::Template;
use axum::{
    http::{HeaderValue, header::REFRESH},
    response::Response,
};

use super::{
    Address, Answer, Page, RequestContext, Result, answer,
    editing::fingerprint_text,
    layout::respond_uncached,
    list::{date, player, result, shown},
};
use crate::{
    archive::Summary,
    present::duplicates::DuplicateRow,
    query::Difference,
    record::GameId,
    web::{Question, pairs::Pairs},
};

/// Pairs per page.
const PAIRS: usize = 20;

#[derive(Template)]
#[template(path = "duplicates.html")]
struct DuplicatesPage {
    page: Page,
    /// The number of games read, if the search is in progress.
    searching: Option<String>,
    pairs: Vec<Pair>,
    /// The number of pairs on all pages.
    count: String,
    previous: Option<Address>,
    next: Option<Address>,
}

/// Two games.
struct Pair {
    title: String,
    games: [Game; 2],
    lines: Vec<Line>,
    /// What differs besides the lines.
    others: Vec<&'static str>,
}

/// A game of a pair.
struct Game {
    id: GameId,
    link: Address,
    /// What it is now, if it can be edited.
    fingerprint: String,
}

/// What both games have of one kind.
struct Line {
    name: &'static str,
    values: [String; 2],
}

impl Line {
    fn differs(&self) -> bool {
        self.values[0] != self.values[1]
    }
}

pub(in crate::web) async fn duplicates(question: Question) -> Response {
    let app = std::sync::Arc::clone(&question.app);
    let mut response = respond_uncached(question, of_now).await;
    // In a header, since a browser then reloads the page without a script too.
    if app.pairs.is_running() {
        response.headers_mut().insert(REFRESH, const { HeaderValue::from_static("2") });
    }
    response
}

fn of_now(context: &RequestContext<'_>, page: &Page) -> Result<Answer> {
    let (rows, searching) = match context.app.pairs.pairs(context)? {
        Pairs::Found(rows) => (rows, None),
        Pairs::Searching(games) => (Vec::new(), Some(page.language.games(games))),
    };
    let last = rows.len().div_ceil(PAIRS).max(1);
    let number = page.address.get("page").and_then(|number| number.parse().ok()).unwrap_or(1).clamp(1, last);
    let first = (number - 1) * PAIRS;
    let pairs = rows.iter().skip(first).take(PAIRS).map(|row| Pair::of(context, page, row));
    let at = |number: usize| page.address.with("page", number);
    answer(&DuplicatesPage {
        page: page.titled(page.words.duplicates),
        searching,
        pairs: pairs.collect::<Result<_>>()?,
        count: page.language.number(rows.len() as u64),
        previous: (number > 1).then(|| at(number - 1)),
        next: (number < last).then(|| at(number + 1)),
    })
}

impl Pair {
    fn of(context: &RequestContext<'_>, page: &Page, row: &DuplicateRow) -> Result<Pair> {
        let words = page.words;
        let line =
            |name, value: fn(&Summary) -> String| Line { name, values: row.games.each_ref().map(value) };
        let others = row.differences.iter().filter_map(|difference| match difference {
            Difference::Shorter => Some(words.pair_shorter),
            Difference::Ending => Some(words.pair_ending),
            Difference::Transposed => Some(words.pair_transposed),
            Difference::Other => Some(words.pair_other),
            _ => None,
        });
        let [one, two] = &row.games;
        Ok(Pair {
            title: shown(Some(&one.title)),
            games: [Game::of(context, page, one.id)?, Game::of(context, page, two.id)?],
            lines: vec![
                line(words.white, |game| player(game.white.as_deref())),
                line(words.black, |game| player(game.black.as_deref())),
                line(words.result, |game| result(game.result).to_owned()),
                line(words.date, |game| shown(game.date.map(|day| date(&day.known())).as_deref())),
                line(words.event, |game| shown(game.event.as_deref())),
                line(words.site, |game| shown(game.site.as_deref())),
                line(words.round, |game| shown(game.round.as_deref())),
                line(words.plies, |game| game.plies.to_string()),
            ],
            others: others.collect(),
        })
    }
}

impl Game {
    fn of(context: &RequestContext<'_>, page: &Page, id: GameId) -> Result<Game> {
        let fingerprint = match page.edits {
            true => fingerprint_text(&context.archive.game(id)?)?,
            false => String::new(),
        };
        Ok(Game { id, link: page.game_link(id), fingerprint })
    }
}
