//! The answer for people.

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

/// The columns that the moves of the lines are cut to.
const BOOK: usize = 20;

/// The columns that a number of games takes, besides those that its line is indented by.
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
            (self.reply, "were led out of it by the opponent"),
            (self.own, "left it by an own move"),
            (self.end, "went on where a line ends"),
            (self.finished, "ended in it"),
            (self.outside, "were never in it"),
        ];
        style.items(out, &parts.map(|(games, what)| format!("{:>width$} {what}", thousands(games))))?;
        for (kind, title) in [
            (DepartureKind::Reply, "Replies without an answer"),
            (DepartureKind::Own, "Own moves that are not in it"),
            (DepartureKind::End, "Where lines end, and what came next"),
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

/// Writes departures; in the columns of a terminal, of a long line its end.
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

/// The last words of a text that fit so many columns, after an ellipsis if they are not all. It is plain ASCII.
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
    fn of_a_line_that_is_too_long_the_end_is_shown() {
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
