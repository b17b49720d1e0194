//! The main lines from a position as text.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    super::{Answer, branch::Branch, list::TextStyle},
    table::{bar, percent, share, taken, write_head},
};
use crate::{
    chess::VariantPosition,
    counts::thousands,
    query::{LineMove, LineTree},
};

/// The columns before the name of the opening.
const HEAD: [&str; 7] = ["line", "games", "share", "1-0", "1/2", "0-1", ""];

/// The width of a bar, and the minimum width of a name.
const BAR: usize = 8;
pub(in crate::present) const NAME: usize = 12;

/// The main lines from a position.
#[derive(Serialize)]
#[serde(transparent)]
pub struct ShownTree<'a> {
    /// The lines.
    pub tree: LineTree,
    /// The first position of the lines.
    #[serde(skip)]
    pub from: &'a VariantPosition,
}

/// A tree: each move with its games, their share of the games with the previous move, results in percent and as a bar,
/// and the name of the opening.
impl Answer for ShownTree<'_> {
    fn count(&self) -> u64 {
        self.tree.results.games
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let LineTree { position, opening, results, ended_here, lines, .. } = &self.tree;
        write_head(out, opening.as_ref(), position, results, *ended_here)?;
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut rows = Rows { rows: Vec::new(), names: Vec::new() };
        rows.add(lines, Branch::first(self.from, results.games, ""));
        let taken = taken(&HEAD, &rows.rows);
        for (row, name) in rows.rows.iter_mut().zip(&rows.names) {
            row.push(style.cut(name, taken, NAME));
        }
        let head: Vec<&str> = HEAD.into_iter().chain([""]).collect();
        let right: Vec<bool> = (0..head.len()).map(|column| (1..6).contains(&column)).collect();
        style.table(out, &head, &right, &rows.rows)
    }
}

struct Rows {
    rows: Vec<Vec<String>>,
    /// The notes after each row.
    names: Vec<String>,
}

impl Rows {
    /// Adds the moves of a position, with all that follow.
    fn add(&mut self, lines: &[LineMove], at: Branch) {
        for line in lines {
            let m = &line.played;
            let percent = |part| percent(part, m.results.games).to_string();
            self.rows.push(vec![
                format!("{}{}", "  ".repeat(at.depth), at.numbered(&m.san)),
                thousands(m.results.games),
                share(m.results.games, at.games),
                percent(m.results.white),
                percent(m.results.draws),
                percent(m.results.black),
                bar(m.results.known(), m.results.games, BAR),
            ]);
            let next = at.next(m.results.games, line.opening.as_ref());
            self.names.push(joined(&[&other_orders(line.by_transposition), new_part(next.name, at.name)]));
            self.add(&line.lines, next);
        }
    }
}

/// The number of games that reach the position after a move by other move orders; empty if there are none.
pub(in crate::present) fn other_orders(games: u64) -> String {
    if games > 0 { format!("+{} by transposition", thousands(games)) } else { String::new() }
}

/// The notes of a row that are not empty.
pub(in crate::present) fn joined(notes: &[&str]) -> String {
    let notes: Vec<&str> = notes.iter().copied().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

/// The part of a name that is not in the name above it: "Najdorf Variation" under "Sicilian Defense".
pub fn new_part<'a>(name: &'a str, above: &str) -> &'a str {
    match name.strip_prefix(above) {
        Some(rest) if rest.is_empty() || rest.starts_with([':', ',']) => {
            rest.trim_start_matches([':', ',', ' '])
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_not_repeated() {
        for (name, above, new) in [
            ("Sicilian Defense: Najdorf Variation", "Sicilian Defense", "Najdorf Variation"),
            (
                "Sicilian Defense: Najdorf Variation, English Attack",
                "Sicilian Defense: Najdorf Variation",
                "English Attack",
            ),
            ("Sicilian Defense", "Sicilian Defense", ""),
            ("French Defense", "", "French Defense"),
            ("King's Indian Defense", "King's In", "King's Indian Defense"),
        ] {
            assert_eq!(super::new_part(name, above), new);
        }
    }
}
