//! What a player plays, compared with all games: as text, as Markdown and as a chart.

use std::{
    cmp::Reverse,
    io::{self, Write},
};

use serde::{Serialize, Serializer};

use super::{
    Answer,
    answer::{known, name_items},
    chart::{Bar, StackedChart},
    explore::{in_order, joined, origin, other_orders, percent, score},
    list::{Markup, TextStyle},
    markdown::item,
    numbered::Branch,
};
use crate::{
    chess::VariantPosition,
    counts::{GAMES, thousands},
    printable,
    query::{ExploredPosition, LineMove, Preparation, Rare},
    report::PreparationReport,
};

/// What a player plays from a position, for each requested colour.
pub struct Preparations<'a> {
    /// The position.
    pub asked: &'a ExploredPosition,
    /// The reports.
    pub reports: Vec<PreparationReport>,
    /// The [conditions](crate::conditions::FilterText::in_words) on the games besides the player; empty if there are none.
    pub conditions: String,
}

/// A single report, or a list of two for both colours.
impl Serialize for Preparations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.reports.as_slice() {
            [one] => one.serialize(serializer),
            both => both.serialize(serializer),
        }
    }
}

/// The score and the performance are the player's.
impl Answer for Preparations<'_> {
    fn count(&self) -> u64 {
        self.reports.iter().map(|report| report.preparation.results.games).sum()
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        for (number, report) in self.reports.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            self.write_report(out, report, style)?;
        }
        Ok(())
    }

    fn picture(&self) -> Option<String> {
        Some(self.reports.iter().map(|report| picture(report, self.asked)).collect())
    }
}

/// The player of the report: the name as written in the games, if there is only one.
fn heading(report: &PreparationReport) -> String {
    let name = match report.names.as_slice() {
        [only] => &only.name,
        _ => &report.player,
    };
    format!("{} with {}", printable::line(name), report.side().fold_wb("White", "Black"))
}

/// The games that the player won, drew and lost with a move.
fn results(report: &PreparationReport, line: &LineMove) -> [u64; 3] {
    line.played.results.of(report.side())
}

/// The columns; the last one is the note.
const HEAD: [&str; 9] = ["line", "games", "%", "score", "perf", "all", "%", "year", ""];

/// What the columns are, for those who have the page but not the help of a program.
const LEGEND: &str = "games, %: the player's games with the move, and their share of those with the position before it; \
    score: the player's; perf: the player's performance rating with the move, if it is their own; all, %: all games of \
    the collection with the move in this position, and their share; year: the last year";

impl Preparations<'_> {
    /// Writes what a player plays, and how many games the tree leaves out.
    fn write_report(
        &self,
        out: &mut dyn Write,
        report: &PreparationReport,
        style: TextStyle,
    ) -> io::Result<()> {
        let Preparation { results, left_out, lines, .. } = &report.preparation;
        self.write_head(out, report, style)?;
        if !lines.is_empty() {
            writeln!(out)?;
            write_tree(out, report, &self.asked.position, style)?;
        }
        if style.markup == Markup::Html && !lines.is_empty() {
            style.line(out, LEGEND)?;
        }
        if *left_out == 0 {
            return Ok(());
        }
        if style.markup == Markup::None {
            writeln!(out)?;
        }
        let [left_out, games] = [*left_out, results.games].map(thousands);
        style.line(out, &format!("{left_out} of {games} games continue with moves that are not shown"))
    }

    /// The player, which games, the results, and the opening.
    fn write_head(
        &self,
        out: &mut dyn Write,
        report: &PreparationReport,
        style: TextStyle,
    ) -> io::Result<()> {
        let answer = &report.preparation;
        style.title(out, &format!("{}: {}", heading(report), GAMES.count(answer.results.games)))?;
        if report.different_names > 1 {
            let more = report.different_names.saturating_sub(report.names.len() as u64);
            style.items(out, &name_items(&report.names, more))?;
        }
        if !self.conditions.is_empty() {
            style.line(out, &format!("Only games{}", self.conditions))?;
        }
        let scored = answer.results.of(report.side());
        if let Some(score) = score(scored) {
            let [won, drawn, lost] = scored.map(thousands);
            style.line(out, &format!("won {won}, drawn {drawn}, lost {lost}: {score}%"))?;
        }
        match &answer.opening {
            Some(opening) => style.line(out, &format!("{} {}", opening.eco, opening.name)),
            None => Ok(()),
        }
    }
}

/// Writes the moves of a player: a table, or a nested list in Markdown.
fn write_tree(
    out: &mut dyn Write,
    report: &PreparationReport,
    from: &VariantPosition,
    style: TextStyle,
) -> io::Result<()> {
    let answer = &report.preparation;
    let name = answer.opening.as_ref().map_or("", |opening| opening.name);
    let mut lines = in_order(&answer.lines, Branch::first(from, answer.results.games, name)).into_iter();
    if style.markup == Markup::Markdown {
        return lines.try_for_each(|(line, at, opening)| {
            let answer = told_of(report, line, at.games, opening);
            item(out, at.depth, &at.numbered(&line.played.san), &answer)
        });
    }
    let rows = lines.map(|(line, at, opening)| cells(report, line, at, opening)).collect();
    style.fitted(out, &HEAD, 1, HEAD.len() - 1, rows)
}

/// The row of a move.
fn cells(report: &PreparationReport, line: &LineMove, at: Branch, opening: &str) -> Vec<String> {
    let (m, compared) = (&line.played, line.compared.unwrap_or_default());
    vec![
        format!("{}{}", " ".repeat(at.depth), at.numbered(&m.san)),
        thousands(m.results.games),
        percent(m.results.games, at.games).to_string(),
        known(score(results(report, line)).map(|score| format!("{score}%"))),
        known(m.performance.filter(|_| compared.by_player)),
        thousands(compared.all_games),
        percent(compared.all_games, compared.all_here).to_string(),
        known(m.last_year),
        note(line, opening),
    ]
}

/// The note on a move that may lead to a named opening.
fn note(line: &LineMove, opening: &str) -> String {
    let compared = line.compared.unwrap_or_default();
    let rare = match compared.rare {
        Some(Rare::Position) => format!("rare: {}", GAMES.count(compared.all_after)),
        Some(Rare::Move) => "rare".to_owned(),
        None => String::new(),
    };
    joined(&[&rare, &other_orders(line.by_transposition), opening])
}

/// The figures of a move, relative to the games with the position before it.
fn told_of(report: &PreparationReport, line: &LineMove, of: u64, opening: &str) -> String {
    let (m, compared) = (&line.played, line.compared.unwrap_or_default());
    let performance = m.performance.filter(|_| compared.by_player);
    let share = percent(compared.all_games, compared.all_here);
    let all = format!("{} of all games ({share}%)", thousands(compared.all_games));
    let note = note(line, opening);
    [
        Some(format!("{} ({}%)", GAMES.count(m.results.games), percent(m.results.games, of))),
        score(results(report, line)).map(|score| format!("score {score}%")),
        performance.map(|performance| format!("performance {performance}")),
        Some(all),
        m.last_year.map(|year| format!("last {year}")),
        Some(note).filter(|note| !note.is_empty()),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// The length of the lines in plies, and the maximum number of bars.
const PLIES: usize = 4;
const BARS: usize = 60;

/// The maximum length of the moves in the heading.
const MOVES: usize = 75;

/// Bars as SVG: the lines of up to four plies with the games that the player won, drew and lost. If there are too many,
/// those with the most games are kept. The heading contains the moves that lead to the position.
fn picture(report: &PreparationReport, asked: &ExploredPosition) -> String {
    let title = format!("{}: {} games", heading(report), thousands(report.preparation.results.games));
    let mut chart = StackedChart::new(&title, ["won", "drawn", "lost"]);
    let mut bars = Vec::new();
    let first = Branch::first(&asked.position, report.preparation.results.games, "");
    add_bars(&mut bars, report, &report.preparation.lines, "", first);
    let mut games: Vec<u64> = bars.iter().map(|bar| bar.games).collect();
    games.sort_unstable_by_key(|games| Reverse(*games));
    if let Some(&next) = games.get(BARS) {
        bars.retain(|bar| bar.games > next);
    }
    chart.lying(&lines_heading(&origin(asked)), &bars);
    chart.svg()
}

fn add_bars(bars: &mut Vec<Bar>, report: &PreparationReport, lines: &[LineMove], before: &str, at: Branch) {
    for line in lines.iter().filter(|_| at.depth < PLIES) {
        let name = at.after(before, &line.played.san);
        let games = line.played.results.games;
        bars.push(Bar::new(name.clone(), results(report, line), games));
        add_bars(bars, report, &line.lines, &name, at.next(games, None));
    }
}

/// The heading of lines from a position. If many moves lead there, it contains the last ones.
fn lines_heading(origin: &str) -> String {
    let moves = origin.strip_prefix("after ").unwrap_or_default();
    let too_many = moves.chars().count().saturating_sub(MOVES);
    let origin = match moves.char_indices().nth(too_many).filter(|_| too_many > 0) {
        Some((cut, _)) => {
            let rest = &moves[cut..];
            format!("after …{}", &rest[rest.find(' ').unwrap_or(0)..])
        }
        None => origin.to_owned(),
    };
    format!("Lines of up to four plies {origin}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_has_the_last_of_many_moves_and_a_complete_fen() {
        assert_eq!(lines_heading(""), "Lines of up to four plies");
        assert_eq!(lines_heading("after 1. e4"), "Lines of up to four plies after 1. e4");
        let fen = format!("from {}", "8/".repeat(45));
        assert_eq!(lines_heading(&fen), format!("Lines of up to four plies {fen}"));
        let long = lines_heading(&format!("after {}35. Qxh7#", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(9)));
        assert!(
            long.starts_with("Lines of up to four plies after … ") && long.ends_with(" Ng8 35. Qxh7#"),
            "{long}"
        );
        assert!(long.chars().count() < 120, "{long}");
    }
}
