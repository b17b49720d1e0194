//! The first moves as a chart: how often each was played, and how the player scored.

use std::cmp::Reverse;

use super::{
    super::{
        explore::origin,
        report::PictureWords,
        stacked::{Bar, StackedChart},
    },
    heading, results,
};
use crate::{
    chess::Position,
    counts::thousands,
    query::{ExploredPosition, PreparedMove},
    report::PreparationReport,
    rules::Color,
};

/// The length of the lines in plies, and the maximum number of bars.
const PLIES: usize = 4;
const BARS: usize = 60;

/// The maximum length of the moves in the heading.
const MOVES: usize = 75;

/// Bars as SVG: the lines of up to four plies with the games that the player won, drew and lost. If there are too many,
/// those with the most games are kept. The heading contains the moves that lead to the position.
pub(super) fn of(report: &PreparationReport, asked: &ExploredPosition) -> String {
    let words = PictureWords::ENGLISH;
    let title =
        format!("{}: {} {}", heading(report), thousands(report.preparation.results.games), words.games);
    let mut chart = StackedChart::new(&title, words.score);
    let mut bars = Vec::new();
    let from = &asked.position;
    add(report, &mut bars, &report.preparation.lines, ("", 0), (from.fullmoves().get(), from.turn()));
    let mut games: Vec<u64> = bars.iter().map(|bar| bar.games).collect();
    games.sort_unstable_by_key(|games| Reverse(*games));
    if let Some(&next) = games.get(BARS) {
        bars.retain(|bar| bar.games > next);
    }
    chart.lying(&lines_heading(&origin(asked)), &bars);
    chart.svg()
}

fn add(
    report: &PreparationReport,
    bars: &mut Vec<Bar>,
    lines: &[PreparedMove],
    (before, plies): (&str, usize),
    (number, turn): (u32, Color),
) {
    for line in lines.iter().filter(|_| plies < PLIES) {
        let name = match (turn, before) {
            (Color::White, "") => format!("{number}. {}", line.played.san),
            (Color::White, _) => format!("{before} {number}. {}", line.played.san),
            (Color::Black, "") => format!("{number}... {}", line.played.san),
            (Color::Black, _) => format!("{before} {}", line.played.san),
        };
        let [won, drawn, lost] = results(report, line);
        let ended = won + drawn + lost;
        let percent = (ended > 0).then(|| (2 * won + drawn) as f64 * 50.0 / ended as f64);
        bars.push(Bar {
            name: name.clone(),
            parts: [won, drawn, lost],
            games: line.played.results.games,
            percent,
        });
        let next = (turn.fold_wb(number, number.saturating_add(1)), !turn);
        add(report, bars, &line.lines, (&name, plies + 1), next);
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
    use super::lines_heading;

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
