//! The tables of reports on a page.

use super::{address::Address, layout::Page, messages::Messages};
use crate::{
    present::report::{band_name, difference_name, length_name, period_name},
    report::{LineScore, OpeningScores, Overview, PlayerReport, Results, Score},
};

/// A table of games.
#[derive(Debug)]
pub(super) struct ReportTable {
    pub(super) title: &'static str,
    /// The heading of the first column, and that of the bars.
    pub(super) what: &'static str,
    pub(super) results: &'static str,
    /// The names of the parts of the bars.
    pub(super) parts: [&'static str; 3],
    /// Whether there are columns for opponents and performance.
    pub(super) is_of_player: bool,
    pub(super) rows: Vec<ReportLine>,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct ReportLine {
    pub(super) name: String,
    /// A link to its games.
    pub(super) link: Option<Address>,
    pub(super) games: u64,
    /// The results, in the order of the bar.
    pub(super) results: [u64; 3],
    pub(super) percent: Option<f64>,
    pub(super) opponents: Option<i64>,
    pub(super) performance: Option<i64>,
}

fn of_score(name: String, link: Option<Address>, score: &Score) -> ReportLine {
    ReportLine {
        name,
        link,
        games: score.games,
        results: [score.wins, score.draws, score.losses],
        percent: score.percent,
        opponents: score.mean_opponent,
        performance: score.performance,
    }
}

fn of_results(name: String, link: Option<Address>, results: &Results) -> ReportLine {
    let (games, results, percent) = (results.counts.games, results.counts.known(), results.percent);
    ReportLine { name, link, games, results, percent, opponents: None, performance: None }
}

/// The tables of a player.
pub(super) fn player_tables(page: &Page, answer: &PlayerReport) -> Vec<ReportTable> {
    let words = page.words;
    let games = page.address.to_path("/games");
    let table = |title, what, rows| ReportTable {
        title,
        what,
        results: words.player_results,
        parts: [words.won, words.drawn, words.lost],
        is_of_player: true,
        rows,
    };
    let colours = [(words.white, "white", &answer.white), (words.black, "black", &answer.black)];
    let mut by_colour: Vec<ReportLine> = colours
        .into_iter()
        .filter(|(.., score)| score.games > 0)
        .map(|(name, colour, score)| of_score(name.to_owned(), Some(games.with("colour", colour)), score))
        .collect();
    by_colour.push(of_score(words.both.to_owned(), None, &answer.total));
    let bands = answer.opponents.iter().map(|of| {
        of_score(if of.from.is_some() { band_name(of) } else { words.unrated.to_owned() }, None, &of.score)
    });
    let years = answer.years.iter().map(|of| {
        let name = of.year.map_or(words.unknown.to_owned(), |year| year.to_string());
        let link = of.year.map(|year| games.with("date", year));
        of_score(name, link, &of.score)
    });
    let openings = |of: &OpeningScores, colour: &str| -> Vec<ReportLine> {
        let link = |family: &str| games.with("colour", colour).with("opening", family);
        let rows = of.families.iter();
        rows.map(|of| of_score(of.family.unwrap_or("–").to_owned(), of.family.map(link), &of.score)).collect()
    };
    let lines = |of: &[LineScore], colour: &str| {
        let mut rows = Vec::new();
        add_lines(page, &mut rows, of, &[], colour);
        rows
    };
    vec![
        table(words.by_colour, words.colour, by_colour),
        table(words.openings_as_white, words.opening, openings(&answer.openings_as_white, "white")),
        table(words.openings_as_black, words.opening, openings(&answer.openings_as_black, "black")),
        table(words.lines_as_white, words.a_move, lines(&answer.lines_as_white, "white")),
        table(words.lines_as_black, words.a_move, lines(&answer.lines_as_black, "black")),
        table(words.by_rating, words.rating, bands.collect()),
        table(words.by_year, words.year, years.collect()),
    ]
    .into_iter()
    .filter(|table| !table.rows.is_empty())
    .collect()
}

/// Adds lines of moves; `before` are the moves before them.
fn add_lines(
    page: &Page,
    rows: &mut Vec<ReportLine>,
    lines: &[LineScore],
    before: &[(String, String)],
    colour: &str,
) {
    for line in lines {
        let mut moves = before.to_vec();
        let known = line.san.clone().zip(line.uci.clone());
        moves.push(known.unwrap_or_default());
        let name = line_name(&moves, page.words);
        let play: Vec<&str> = moves.iter().map(|(_, uci)| uci.as_str()).collect();
        let explorer = page.address.to_path("/explorer").with("colour", colour);
        let link =
            explorer.with("flip", if colour == "black" { "1" } else { "" }).with("play", play.join(","));
        rows.push(of_score(name, Some(link).filter(|_| !play.contains(&"")), &line.score));
        add_lines(page, rows, &line.lines, &moves, colour);
    }
}

/// The moves of a line with their numbers. Rare first moves of White count together, with an empty name; then only the
/// reply follows.
fn line_name(moves: &[(String, String)], words: &Messages) -> String {
    match moves {
        [(first, _)] if first.is_empty() => words.other_first_moves.to_owned(),
        [(first, _), (reply, _), ..] if first.is_empty() => {
            format!("{}: 1... {reply}", words.other_first_moves)
        }
        _ => {
            let numbered = (0..).zip(moves).map(|(ply, (san, _))| match ply % 2 {
                0 => format!("{}. {san}", ply / 2 + 1),
                _ => san.clone(),
            });
            numbered.collect::<Vec<_>>().join(" ")
        }
    }
}

/// The tables of all games.
pub(super) fn overview_tables(page: &Page, answer: &Overview) -> Vec<ReportTable> {
    let words = page.words;
    let games = page.address.to_path("/games");
    let table = |title, what, rows| ReportTable {
        title,
        what,
        results: words.results,
        parts: [words.white_wins, words.draws, words.black_wins],
        is_of_player: false,
        rows,
    };
    let all = of_results(words.all_moves.to_owned(), Some(games.clone()), &answer.results);
    let differences = answer.rating_differences.iter().map(|of| {
        let is_known = of.from.is_some() || of.to.is_some();
        of_results(if is_known { difference_name(of) } else { words.unrated.to_owned() }, None, &of.results)
    });
    let lengths = answer.lengths.bands.iter().map(|of| {
        // Lengths count White's moves; Black has as many moves, or one fewer.
        let least = (2 * of.from).saturating_sub(1);
        let plies = of.to.map_or(format!("{least}.."), |to| format!("{least}..{}", 2 * to));
        of_results(length_name(of), Some(games.with("plies", plies)), &of.results)
    });
    let periods = answer.periods.iter().map(|of| {
        let link = of.from.zip(of.to).map(|(from, to)| games.with("date", format!("{from}..{to}")));
        of_results(
            if of.from.is_some() { period_name(of) } else { words.unknown.to_owned() },
            link,
            &of.results,
        )
    });
    let families = answer.families.iter().map(|of| {
        let link = of.family.map(|family| games.with("opening", family));
        of_results(of.family.unwrap_or("–").to_owned(), link, &of.results)
    });
    let endings = answer.endings.iter().map(|of| {
        of_results(of.ending.clone().unwrap_or_else(|| words.more_pieces.to_owned()), None, &of.results)
    });
    vec![
        table(words.all_results, words.games, vec![all]),
        table(words.by_difference, words.rating, differences.collect()),
        table(words.by_length, words.movetext, lengths.collect()),
        table(words.by_year, words.year, periods.collect()),
        table(words.openings, words.opening, families.collect()),
        table(words.endings, words.pieces, endings.collect()),
    ]
}
