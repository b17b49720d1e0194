//! The main lines from a position for people.

use std::io::{self, Write};

use super::{
    super::list::{TextStyle, aligned},
    table::{bar, coloured, percent, share, taken, write_head},
};
use crate::{
    chess::Position,
    counts::thousands,
    query::{LineMove, LineTree},
    rules::Color,
};

/// The columns besides the name of the opening, which is the last.
const HEAD: [&str; 7] = ["line", "games", "share", "1-0", "1/2", "0-1", ""];

/// The columns of a bar, and the fewest that a name gets.
const BAR: usize = 8;
pub(in crate::present) const NAME: usize = 12;

/// Writes the main lines from a position as a tree: each move with its games, their share of those that played the move
/// before it, results in percent and as a bar, and the name of the opening that it leads to.
///
/// # Errors
/// It cannot be written.
pub fn write_line_tree(
    out: &mut dyn Write,
    tree: &LineTree,
    from: &impl Position,
    style: TextStyle,
) -> io::Result<()> {
    let results = [tree.white, tree.draws, tree.black, tree.other];
    write_head(out, tree.opening.as_ref(), &tree.position, results, tree.ended_here)?;
    if tree.lines.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut rows = Rows { rows: Vec::new(), names: Vec::new() };
    let from =
        Branch { games: tree.games, depth: 0, number: from.fullmoves().get(), turn: from.turn(), name: "" };
    rows.add(&tree.lines, from);
    let taken = taken(&HEAD, &rows.rows);
    for (row, name) in rows.rows.iter_mut().zip(&rows.names) {
        row.push(style.cut(name, taken, NAME));
    }
    let head: Vec<&str> = HEAD.into_iter().chain([""]).collect();
    let right: Vec<bool> = (0..head.len()).map(|column| (1..6).contains(&column)).collect();
    let mut text = Vec::new();
    aligned(&mut text, &head, &right, &rows.rows)?;
    let text = String::from_utf8_lossy(&text);
    write!(out, "{}", if style.colour { coloured(&text) } else { text.into_owned() })
}

struct Rows {
    rows: Vec<Vec<String>>,
    /// What stands behind each of them.
    names: Vec<String>,
}

/// A position whose moves are written.
#[derive(Clone, Copy)]
struct Branch<'a> {
    /// The games that reach it.
    games: u64,
    /// The moves before it in the tree.
    depth: usize,
    /// The number of the next move.
    number: u32,
    turn: Color,
    /// The name of the last position before it that has one.
    name: &'a str,
}

impl Rows {
    /// Adds the moves of a position, with all that follow.
    fn add(&mut self, lines: &[LineMove], at: Branch<'_>) {
        for line in lines {
            let (m, dots) = (&line.played, at.turn.fold_wb(".", "..."));
            let percent = |part| percent(part, m.games).to_string();
            self.rows.push(vec![
                format!("{}{}{dots} {}", "  ".repeat(at.depth), at.number, m.san),
                thousands(m.games),
                share(m.games, at.games),
                percent(m.white),
                percent(m.draws),
                percent(m.black),
                bar([m.white, m.draws, m.black], m.games, BAR),
            ]);
            let name = line.opening.as_ref().map_or(at.name, |opening| opening.name);
            self.names.push(joined(&[&other_orders(line.by_transposition), new_part(name, at.name)]));
            let number = at.turn.fold_wb(at.number, at.number.saturating_add(1));
            self.add(
                &line.lines,
                Branch { games: m.games, depth: at.depth + 1, number, turn: !at.turn, name },
            );
        }
    }
}

/// The games that reach the position after a move by other orders of moves; nothing if there are none.
pub(in crate::present) fn other_orders(games: u64) -> String {
    if games > 0 { format!("+{} by transposition", thousands(games)) } else { String::new() }
}

/// The notes of a row that say something.
pub(in crate::present) fn joined(notes: &[&str]) -> String {
    let notes: Vec<&str> = notes.iter().copied().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

/// What a name adds to the one above it: "Najdorf Variation" to "Sicilian Defense".
pub(in crate::present) fn new_part<'a>(name: &'a str, above: &str) -> &'a str {
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
    fn a_name_is_not_said_again() {
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
