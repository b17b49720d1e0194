//! Text output of `plybook prepare`.

use std::io::{self, Write};

use super::{
    super::{
        blocks::name_items,
        branch::Branch,
        explore::{NAME, joined, new_part, other_orders, percent, taken},
        list::{TextStyle, aligned},
    },
    heading, results,
};
use crate::{
    chess::VariantPosition,
    counts::{GAMES, thousands},
    query::{PreparedMove, Rare},
    report::PreparationReport,
};

/// The columns before the note.
const HEAD: [&str; 8] = ["line", "games", "%", "score", "perf", "all", "%", "year"];

/// Writes what a player plays as text.
pub(super) fn write(
    out: &mut dyn Write,
    report: &PreparationReport,
    from: &VariantPosition,
    style: TextStyle,
) -> io::Result<()> {
    let answer = &report.preparation;
    write_head(out, report, style)?;
    if answer.lines.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut rows = Rows { report, rows: Vec::new(), notes: Vec::new() };
    let name = answer.opening.as_ref().map_or("", |opening| opening.name);
    rows.add(&answer.lines, Branch::first(from, answer.results.games, name));
    let Rows { mut rows, notes, .. } = rows;
    let taken = taken(&HEAD, &rows);
    rows.iter_mut().zip(&notes).for_each(|(row, note)| row.push(style.cut(note, taken, NAME)));
    let head: Vec<&str> = HEAD.into_iter().chain([""]).collect();
    let right: Vec<bool> = (0..head.len()).map(|column| (1..HEAD.len()).contains(&column)).collect();
    aligned(out, &head, &right, &rows)
}

/// The player, the results, and the opening.
pub(super) fn write_head(
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

/// A score in percent.
pub(super) fn score([won, drawn, lost]: [u64; 3]) -> Option<u64> {
    let games = won + drawn + lost;
    (games > 0).then(|| percent(2 * won + drawn, 2 * games))
}

struct Rows<'a> {
    report: &'a PreparationReport,
    rows: Vec<Vec<String>>,
    /// The notes after each row.
    notes: Vec<String>,
}

impl Rows<'_> {
    /// Adds the moves of a position, with all that follow.
    fn add(&mut self, lines: &[PreparedMove], at: Branch) {
        for line in lines {
            let m = &line.played;
            let performance = m.performance.filter(|_| line.by_player);
            self.rows.push(vec![
                format!("{}{}", " ".repeat(at.depth), at.numbered(&m.san)),
                thousands(m.results.games),
                percent(m.results.games, at.games).to_string(),
                known(score(results(self.report, line)).map(|score| format!("{score}%"))),
                known(performance),
                thousands(line.all_games),
                percent(line.all_games, line.all_here).to_string(),
                known(m.last_year),
            ]);
            let next = at.next(m.results.games, line.opening.as_ref());
            self.notes.push(note(line, new_part(next.name, at.name)));
            self.add(&line.lines, next);
        }
    }
}

/// The note on a move that may lead to a named opening.
pub(super) fn note(line: &PreparedMove, opening: &str) -> String {
    let rare = match line.rare {
        Some(Rare::Position) => format!("rare: {}", GAMES.count(line.all_after)),
        Some(Rare::Move) => "rare".to_owned(),
        None => String::new(),
    };
    joined(&[&rare, &other_orders(line.by_transposition), opening])
}

fn known<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
