//! The table of the moves that were played in a position, with a row for all of them.

use super::{address::Address, language::Language, words::Words};
use crate::query::{Exploration, ExploredMove, Transposition};

/// The moves of a position.
#[derive(Debug)]
pub(super) struct MoveTable {
    pub(super) rows: Vec<MoveRow>,
    pub(super) sum: Option<MoveRow>,
    /// Moves that nobody played here, to positions that games reach.
    pub(super) transpositions: Vec<TranspositionRow>,
    /// How many games ended here, in words; empty if none did.
    pub(super) ended: String,
}

/// A move and its games.
#[derive(Debug)]
pub(super) struct MoveRow {
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) link: Option<Address>,
    pub(super) games: String,
    pub(super) share: String,
    pub(super) bar: Bar,
    pub(super) rating: String,
    /// The games that stand in the position after the move, where they are more.
    pub(super) reached: String,
}

/// A move that nobody played here.
#[derive(Debug)]
pub(super) struct TranspositionRow {
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) link: Address,
    pub(super) reached: String,
}

/// Results side by side.
#[derive(Debug)]
pub(super) struct Bar {
    /// In words; empty if no game has a result.
    pub(super) text: String,
    pub(super) parts: Vec<BarPart>,
}

#[derive(Debug)]
pub(super) struct BarPart {
    pub(super) class: &'static str,
    /// In percent, as a style has it.
    pub(super) width: String,
    /// In whole percent, where there is room for it.
    pub(super) label: String,
}

/// Percent of a bar in which a number has room.
const ROOM: f64 = 16.0;

impl MoveTable {
    /// What is told of a position; `link` gives the address after a move.
    pub(super) fn new(told: &Exploration, language: Language, link: impl Fn(&str) -> Address) -> MoveTable {
        let row = |m: &ExploredMove| MoveRow {
            link: Some(link(&m.uci)),
            uci: m.uci.clone(),
            san: m.san.clone(),
            games: language.number(m.results.games),
            share: language.percent(m.results.games, told.results.games - told.ended_here),
            bar: Bar::new(language, m.results.known()),
            rating: m.mean_rating.map_or(String::new(), |rating| rating.to_string()),
            reached: if m.reached > m.results.games { language.number(m.reached) } else { String::new() },
        };
        let other = |m: &Transposition| TranspositionRow {
            link: link(&m.uci),
            uci: m.uci.clone(),
            san: m.san.clone(),
            reached: language.number(m.reached),
        };
        MoveTable {
            rows: told.moves.iter().map(row).collect(),
            sum: (!told.moves.is_empty()).then(|| sum(told, language)),
            transpositions: told.transpositions.iter().map(other).collect(),
            ended: ended(told.ended_here, language),
        }
    }
}

/// All moves together.
fn sum(told: &Exploration, language: Language) -> MoveRow {
    let games = told.results.games - told.ended_here;
    let of = |count: fn(&ExploredMove) -> u64| told.moves.iter().map(count).sum::<u64>();
    MoveRow {
        uci: String::new(),
        san: String::new(),
        link: None,
        games: language.number(games),
        share: language.percent(games, games),
        bar: Bar::new(language, [of(|m| m.results.white), of(|m| m.results.draws), of(|m| m.results.black)]),
        rating: String::new(),
        reached: String::new(),
    }
}

fn ended(games: u64, language: Language) -> String {
    let words = language.words();
    match games {
        0 => String::new(),
        1 => words.one_ended.to_owned(),
        games => format!("{} {}", language.number(games), words.many_ended),
    }
}

impl Bar {
    /// Games that White won, draws, and games that Black won.
    pub(super) fn new(language: Language, results: [u64; 3]) -> Bar {
        let Words { white_wins, draws, black_wins, .. } = *language.words();
        Bar::named(language, [white_wins, draws, black_wins], results)
    }

    /// Games of three kinds that have names.
    pub(super) fn named(language: Language, names: [&'static str; 3], results: [u64; 3]) -> Bar {
        let sum: u64 = results.iter().sum();
        if sum == 0 {
            return Bar { text: String::new(), parts: Vec::new() };
        }
        let named = names.into_iter().zip(results);
        let text: Vec<String> =
            named.map(|(name, games)| format!("{name} {}", language.percent(games, sum))).collect();
        let part = |(class, games): (&'static str, u64)| {
            let percent = 100.0 * games as f64 / sum as f64;
            let label = if percent >= ROOM { format!("{percent:.0}") } else { String::new() };
            BarPart { class, width: format!("{percent:.2}"), label }
        };
        let parts = ["white", "draw", "black"].into_iter().zip(results).filter(|(_, games)| *games > 0);
        Bar { text: text.join(", "), parts: parts.map(part).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_its_shares_in_numbers_and_in_words() {
        let bar = Bar::new(Language::English, [50, 40, 10]);
        assert_eq!(bar.text, "White wins 50.0%, draws 40.0%, Black wins 10.0%");
        let parts: Vec<_> =
            bar.parts.iter().map(|part| (part.class, part.width.as_str(), part.label.as_str())).collect();
        assert_eq!(parts, [("white", "50.00", "50"), ("draw", "40.00", "40"), ("black", "10.00", "")]);
        assert!(Bar::new(Language::German, [0; 3]).parts.is_empty());
        assert_eq!(Bar::new(Language::English, [0, 0, 1]).parts.len(), 1);
    }
}
