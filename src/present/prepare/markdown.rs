//! What a player plays, as Markdown: a nested list of the moves with their figures.

use std::io::{self, Write};

use super::{
    super::{
        branch::Branch,
        explore::{new_part, percent},
        list::TextStyle,
        markdown,
    },
    results,
    text::{note, score, write_head},
};
use crate::{
    chess::VariantPosition,
    counts::{GAMES, thousands},
    query::PreparedMove,
    report::PreparationReport,
};

/// Writes what a player plays as Markdown.
pub(super) fn write(
    out: &mut dyn Write,
    report: &PreparationReport,
    from: &VariantPosition,
    style: TextStyle,
) -> io::Result<()> {
    let answer = &report.preparation;
    write_head(out, report, style)?;
    if !answer.lines.is_empty() {
        writeln!(out)?;
    }
    let name = answer.opening.as_ref().map_or("", |opening| opening.name);
    write_moves(out, report, &answer.lines, Branch::first(from, answer.results.games, name))
}

/// The moves of a position, each with all that follow below it.
fn write_moves(
    out: &mut dyn Write,
    report: &PreparationReport,
    lines: &[PreparedMove],
    at: Branch,
) -> io::Result<()> {
    for line in lines {
        let next = at.next(line.played.results.games, line.opening.as_ref());
        let answer = told_of(report, line, at.games, new_part(next.name, at.name));
        markdown::item(out, at.depth, &at.numbered(&line.played.san), &answer)?;
        write_moves(out, report, &line.lines, next)?;
    }
    Ok(())
}

/// The figures of a move, relative to the games with the position before it.
fn told_of(report: &PreparationReport, line: &PreparedMove, of: u64, opening: &str) -> String {
    let m = &line.played;
    let performance = m.performance.filter(|_| line.by_player);
    let all =
        format!("{} of all games ({}%)", thousands(line.all_games), percent(line.all_games, line.all_here));
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
