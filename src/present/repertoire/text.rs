//! The text form of the summary.

use std::io::{self, Write};

use super::{DepartureRow, RepertoireAnswer};
use crate::{
    counts::{GAMES, POSITIONS, thousands},
    present::{
        Answer, ListStyle,
        explore::{NAME, taken},
        list::{AnyRow, Head, TextStyle, cut},
    },
    query::DepartureKind,
};

/// The maximum width of the repertoire's moves.
const BOOK: usize = 20;

/// The width of a number of games, in addition to the indentation of its line.
const GAMES_WIDTH: usize = 7;

impl Answer for RepertoireAnswer {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &self.departures)
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let side = if self.owner == "white" { "White" } else { "Black" };
        style.title(out, &format!("repertoire of {side}: {}", POSITIONS.count(self.positions)))?;
        style.line(out, &format!("{}, of which", GAMES.count(self.games)))?;
        let width = if style.markdown { 0 } else { GAMES_WIDTH };
        let parts = [
            (self.reply, "left the repertoire by a move of the opponent"),
            (self.own, "left it by a move of your own"),
            (self.end, "continued beyond the end of a line"),
            (self.finished, "ended while in the repertoire"),
            (self.outside, "never reached the repertoire"),
        ];
        style.items(out, &parts.map(|(games, what)| format!("{:>width$} {what}", thousands(games))))?;
        for (kind, title) in [
            (DepartureKind::Reply, "Opponent's moves without a prepared reply"),
            (DepartureKind::Own, "Your moves that are not in the repertoire"),
            (DepartureKind::End, "Ends of lines, and the moves that followed"),
        ] {
            let rows = self.of(kind);
            if !rows.is_empty() {
                style.heading(out, title)?;
                if !style.markdown {
                    writeln!(out)?;
                }
                write_rows(out, &rows, style)?;
            }
        }
        Ok(())
    }
}

/// Writes departures; on a terminal, only the end of a long line is shown.
fn write_rows(out: &mut dyn Write, rows: &[DepartureRow], style: TextStyle) -> io::Result<()> {
    let (head, right): (Vec<&str>, Vec<bool>) =
        Head::of::<DepartureRow>().shown.iter().map(|column| (column.name, column.right)).unzip();
    let mut rows: Vec<Vec<String>> = rows.iter().map(AnyRow::shown_cells).collect();
    let [others @ .., _] = head.as_slice() else { return Ok(()) };
    let book = others.len().saturating_sub(1);
    if let Some(width) = style.width {
        rows.iter_mut().for_each(|row| row[book] = cut(&row[book], BOOK));
        let left = width.saturating_sub(taken(others, &rows)).max(NAME);
        rows.iter_mut().for_each(|row| row[book + 1] = end_of(&row[book + 1], left));
    }
    style.table(out, &head, &right, &rows)
}

/// The last words of a text that fit into a width, after an ellipsis if some are missing. The text is plain ASCII.
fn end_of(text: &str, width: usize) -> String {
    if text.len() <= width {
        return text.to_owned();
    }
    let mut start = text.len();
    for (space, _) in text.rmatch_indices(' ') {
        if text.len() - space > width - 1 {
            break;
        }
        start = space;
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_line_is_shown() {
        let line = "1. e4 c5 2. Nf3 d6";
        for (width, shown) in [
            (18, line),
            (17, "… e4 c5 2. Nf3 d6"),
            (16, "… c5 2. Nf3 d6"),
            (14, "… c5 2. Nf3 d6"),
            (13, "… 2. Nf3 d6"),
            (6, "… d6"),
            (2, "…"),
        ] {
            assert_eq!(end_of(line, width), shown, "{width}");
        }
    }
}
