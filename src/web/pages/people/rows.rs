//! Rows of scores, as the cards of these pages show them.

use super::super::{
    address::Address,
    bar::{self, Bar},
    layout::Page,
};
use crate::{printable, report::Score};

/// The rows of a card that are always shown.
const FIRST: usize = 10;

/// A name with its games, and possibly its years, and its page.
pub(super) type NameLink = (String, String, Address);

/// A row of a card: a name with its games and their results.
#[derive(Debug)]
pub(super) struct ScoreRow {
    pub(super) name: String,
    pub(super) link: Option<Address>,
    pub(super) games: String,
    pub(super) bar: Bar,
    /// The score in percent; empty without a result.
    pub(super) score: String,
    /// The performance rating or the latest year; may be empty.
    pub(super) more: String,
}

/// A card with rows of scores.
#[derive(Debug)]
pub(super) struct ScoreCard {
    pub(super) title: String,
    pub(super) class: &'static str,
    /// The headings of the names, of the bars, and of the last column; without the last, there is no such column.
    pub(super) heads: [&'static str; 3],
    pub(super) rows: Vec<ScoreRow>,
    /// Further rows, shown on request.
    pub(super) rest: Vec<ScoreRow>,
    pub(super) show_all: String,
}

impl ScoreRow {
    /// The row of a player's score.
    pub(super) fn of_player(page: &Page, name: &str, link: Option<Address>, score: &Score) -> ScoreRow {
        let parts = [score.wins, score.draws, score.losses];
        let bar = Bar::of_player(page.language, parts);
        ScoreRow::new(page, (name, link), score.games, parts, bar)
    }

    /// The row of games by colour.
    pub(super) fn of_games(
        page: &Page,
        name: (&str, Option<Address>),
        games: u64,
        parts: [u64; 3],
    ) -> ScoreRow {
        let words = page.words;
        let bar = Bar::new(page.language, [words.white_wins, words.draws, words.black_wins], parts);
        ScoreRow::new(page, name, games, parts, bar)
    }

    fn new(
        page: &Page,
        (name, link): (&str, Option<Address>),
        games: u64,
        parts: [u64; 3],
        bar: Bar,
    ) -> ScoreRow {
        let games = page.language.number(games);
        let score = score(page, parts);
        ScoreRow { name: printable::line(name).into_owned(), link, games, bar, score, more: String::new() }
    }
}

/// A score in percent; empty without a result.
pub(super) fn score(page: &Page, results: [u64; 3]) -> String {
    bar::score(results).map_or(String::new(), |percent| page.language.share(percent))
}

impl ScoreCard {
    /// A card of rows that begins with the first ones.
    pub(super) fn new(
        page: &Page,
        (title, class): (&str, &'static str),
        heads: [&'static str; 3],
        mut rows: Vec<ScoreRow>,
    ) -> ScoreCard {
        let all = rows.len();
        // Some rows more are shorter than the line that would show them.
        let rest = if all > FIRST + 2 { rows.split_off(FIRST) } else { Vec::new() };
        let show_all = format!("{} ({})", page.words.show_all, page.language.number(all as u64));
        ScoreCard { title: title.to_owned(), class, heads, rows, rest, show_all }
    }
}
