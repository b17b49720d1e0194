//! Tables for people and for programs.

use std::{borrow::Cow, io::Write};

use unicode_width::UnicodeWidthStr;

use crate::printable;

/// Prints aligned columns, one line a row. `right` says which columns are numbers.
pub(super) fn aligned(
    out: &mut dyn Write,
    head: &[&str],
    right: &[bool],
    rows: &[Vec<String>],
) -> std::io::Result<()> {
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.width()).collect();
    for row in rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(printable::line(cell).width());
        }
    }
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for ((cell, width_wanted), right) in row.iter().zip(&widths).zip(right) {
            let cell = printable::line(cell);
            let padding = " ".repeat(width_wanted.saturating_sub(cell.width()));
            let (before, after) = if *right { (padding, String::new()) } else { (String::new(), padding) };
            line.push_str(&before);
            line.push_str(&cell);
            line.push_str(&after);
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Most characters for each column of a text that is cut: marks above and below a letter have no width.
const MARKS: usize = 4;

/// A text in one line, escaped and cut to so many columns of a terminal, with an ellipsis.
pub(super) fn cut(text: &str, width: usize) -> String {
    let text = printable::line(text);
    if text.width() <= width && text.chars().count() <= MARKS * width {
        return text.into_owned();
    }
    let mut start = String::new();
    for c in text.chars().take(MARKS * width) {
        start.push(c);
        if start.width() >= width {
            start.pop();
            break;
        }
    }
    start + "…"
}

/// How cells of CSV are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Csv {
    /// As they are (RFC 4180).
    #[default]
    Plain,
    /// For programs that take a cell for a formula by its first letter: such a cell has an apostrophe before it.
    Spreadsheet,
}

impl Csv {
    fn cell(self, cell: &str) -> Cow<'_, str> {
        let formula = self == Csv::Spreadsheet && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let cell = if formula { Cow::from(format!("'{cell}")) } else { cell.into() };
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\"")).into()
        } else {
            cell
        }
    }

    /// Prints a line.
    pub(super) fn line(self, out: &mut dyn Write, cells: &[&str]) -> std::io::Result<()> {
        let cells: Vec<_> = cells.iter().map(|cell| self.cell(cell)).collect();
        writeln!(out, "{}", cells.join(","))
    }
}

/// Prints a line of CSV.
pub(super) fn csv_line(out: &mut dyn Write, cells: &[&str]) -> std::io::Result<()> {
    Csv::Plain.line(out, cells)
}

/// Prints a head and rows as CSV.
pub(super) fn csv_all(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> std::io::Result<()> {
    csv_line(out, head)?;
    for row in rows {
        csv_line(out, &row.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_to_columns_of_a_terminal() {
        for (text, width, shown) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcde…"),
            ("王王王", 6, "王王王"),
            ("王王王王", 6, "王王…"),
            ("a\nb", 8, "a\\u{a}b"),
            ("", 3, ""),
        ] {
            assert_eq!(cut(text, width), shown);
        }
        for width in [1, 2, 24, 40, 80, 200] {
            for letter in ["王", "a", "e\u{301}", "👍🏽", "\u{202e}", "🇩🇪"] {
                let cut = cut(&letter.repeat(10_000), width);
                assert!(cut.width() <= width && cut.ends_with('…'), "{cut}");
            }
        }
        assert!(cut(&"\u{301}".repeat(10_000), 24).chars().count() <= 24 * MARKS + 1);
    }

    #[test]
    fn columns_stay_in_line_whatever_the_cells_hold() {
        let cells = ["a", "王王王", "e\u{301}e", "\x1b[31m", "two\nlines", "👍🏽", "\u{202e}x"];
        let rows: Vec<_> = cells.iter().map(|cell| vec![(*cell).to_owned(), "|".to_owned()]).collect();
        let mut text = Vec::new();
        aligned(&mut text, &["head", "|"], &[false, true], &rows).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), 1 + cells.len());
        let ends: Vec<usize> = text.lines().map(|line| line.split_once('|').unwrap().0.width()).collect();
        assert!(ends.iter().all(|end| *end == ends[0]), "{text}");
    }

    #[test]
    fn formulas_are_marked_for_spreadsheets_only() {
        for formula in ["=1+1", "+x", "-x", "@x", "\tx", "\rx"] {
            assert!(Csv::Spreadsheet.cell(formula).trim_start_matches('"').starts_with('\''), "{formula}");
            assert!(!Csv::Plain.cell(formula).contains('\''), "{formula}");
        }
        assert_eq!(Csv::Spreadsheet.cell("1-0"), "1-0");
        assert_eq!(Csv::Spreadsheet.cell("=\"a\",b"), "\"'=\"\"a\"\",b\"");
    }
}
