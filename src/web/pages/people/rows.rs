//! Rows of scores, as the cards of these pages show them.

use std::{cmp::Ordering, fmt::Display};

use super::{
    super::{
        bar::{self, is_telling},
        list::player_name,
    },
    Address, Bar, Head, Messages, Page, Sorting,
};
use crate::{
    present::report::band_name,
    query::Results,
    report::{Band, Score},
};

/// The rows of a card that are always shown.
const FIRST: usize = 10;

/// A name with its games, and possibly its years, and its page.
pub(super) type NameLink = (String, String, Address);

/// A row of a card: a name with its games and their results.
#[derive(Debug, Default)]
pub(super) struct ScoreRow {
    pub(super) name: String,
    pub(super) link: Option<Address>,
    pub(super) games: String,
    pub(super) bar: Bar,
    /// The score in percent; empty without a result.
    pub(super) score: String,
    /// Further columns, such as the performance rating or the latest year; each may be empty.
    pub(super) more: Vec<String>,
}

/// A card with rows of scores.
#[derive(Debug)]
pub(super) struct ScoreCard {
    pub(super) title: &'static str,
    /// The headings of the names, of the bars, and of the further columns.
    pub(super) heads: Vec<&'static str>,
    /// The order, if it can be chosen.
    pub(super) sorting: Option<Sorting>,
    /// The id of the card, to which the links that sort it lead.
    pub(super) id: &'static str,
    pub(super) rows: Vec<ScoreRow>,
    /// The number of rows, with those that the page leaves out.
    pub(super) all: usize,
}

impl ScoreRow {
    /// The row of a player's score.
    pub(super) fn of_player(page: &Page, name: &str, link: Option<Address>, of: &Score) -> ScoreRow {
        ScoreRow {
            games: page.language.number(of.games),
            bar: Bar::of_player(page.language, of.known()),
            score: score(page, of.known()),
            ..ScoreRow::named(name, link)
        }
    }

    /// The row of games by colour.
    pub(super) fn of_games(page: &Page, name: &str, link: Option<Address>, of: &Results) -> ScoreRow {
        ScoreRow {
            games: page.language.number(of.games),
            bar: Bar::of_games(page.language, of.known()),
            score: score(page, of.known()),
            ..ScoreRow::named(name, link)
        }
    }

    /// The row of a name without games.
    pub(super) fn named(name: &str, link: Option<Address>) -> ScoreRow {
        ScoreRow { name: player_name(name), link, ..ScoreRow::default() }
    }

    /// The row with another column.
    pub(super) fn with(mut self, more: Option<impl Display>) -> ScoreRow {
        self.more.push(more.map_or(String::new(), |more| more.to_string()));
        self
    }
}

/// A score in percent; empty without a result.
pub(super) fn score(page: &Page, results: [u64; 3]) -> String {
    bar::score(results).map_or(String::new(), |percent| page.language.share(percent))
}

/// Compares scores in percent; none is less than any.
pub(super) fn by_share(a: Option<f64>, b: Option<f64>) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The performance rating of a score: over few games, or if all were won or lost, it says nothing.
pub(super) fn performance(score: &Score) -> Option<i64> {
    score.performance.filter(|_| is_telling(score.known()))
}

/// The name of opponents with ratings in a range.
pub(super) fn band(page: &Page, of: &Band<Score>) -> String {
    match of.from {
        Some(_) => band_name(of).replace("..", "–"),
        None => page.words.unrated.to_owned(),
    }
}

impl ScoreCard {
    pub(super) fn new(
        title: &'static str,
        heads: Vec<&'static str>,
        rows: impl IntoIterator<Item = ScoreRow>,
    ) -> ScoreCard {
        let rows: Vec<_> = rows.into_iter().collect();
        ScoreCard { title, heads, sorting: None, id: "", all: rows.len(), rows }
    }

    /// The card with an order, which can be chosen.
    pub(super) fn sorted(self, sorting: Sorting, id: &'static str) -> ScoreCard {
        ScoreCard { sorting: Some(sorting), id, ..self }
    }

    /// The headings of all columns.
    pub(super) fn columns(&self, words: &'static Messages) -> Vec<Head> {
        let [name, bar, more @ ..] = self.heads.as_slice() else { return Vec::new() };
        let mut columns = vec![
            Head { label: name, sort: "name", class: "" },
            Head { label: words.games, sort: "games", class: "num" },
            Head { label: bar, sort: "score", class: "c-bar" },
            Head { label: words.score, sort: "score", class: "num" },
        ];
        columns.extend(more.iter().map(|label| Head { label, sort: "year", class: "num c-perf" }));
        columns
    }

    /// The rows that are always shown, and those that are shown on request.
    pub(super) fn parts(&self) -> [&[ScoreRow]; 2] {
        let all = self.rows.len();
        // Some rows more are shorter than the line that would show them.
        let (first, rest) = self.rows.split_at(if all > FIRST + 2 { FIRST } else { all });
        [first, rest]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_performance_of_fewer_than_five_games_or_of_games_all_won_or_all_lost() {
        let of = |wins, draws, losses| {
            let score = Score { wins, draws, losses, performance: Some(2400), ..Score::default() };
            performance(&score)
        };
        for (wins, draws, losses) in [(0, 0, 0), (2, 1, 1), (9, 0, 0), (0, 0, 9)] {
            assert_eq!(of(wins, draws, losses), None);
        }
        for (wins, draws, losses) in [(3, 1, 1), (8, 1, 0), (0, 9, 0)] {
            assert_eq!(of(wins, draws, losses), Some(2400));
        }
    }
}
