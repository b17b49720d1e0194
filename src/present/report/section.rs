//! A part of a report as text: a title, and a table that fits a terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::super::list::TextStyle;

/// The minimum width of a text column.
const LEAST: usize = 12;

/// A table under a title. The column before the numbers is shortened to the space that the others leave.
pub(super) struct ReportSection<'a> {
    /// The title.
    pub title: &'a str,
    /// The column headings.
    pub head: &'a [&'a str],
    /// The number of text columns; the others are numbers, or a bar under an empty heading.
    pub texts: usize,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl ReportSection<'_> {
    /// Writes it after an empty line, or nothing if it has no rows.
    pub(super) fn write(mut self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let last = self.texts.saturating_sub(1);
        let taken = self.taken(last);
        for row in &mut self.rows {
            row[last] = style.cut(&row[last], taken, LEAST);
        }
        let right: Vec<bool> =
            (0..).zip(self.head).map(|(at, head)| at >= self.texts && !head.is_empty()).collect();
        style.heading(out, self.title)?;
        style.table(out, self.head, &right, &self.rows)
    }

    /// The width of all columns except one, including the gaps.
    fn taken(&self, but: usize) -> usize {
        let width = |at: usize, head: &str| {
            let cells = self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width());
            2 + cells.max().unwrap_or(0).max(head.width())
        };
        (0..).zip(self.head).filter(|(at, _)| *at != but).map(|(at, head)| width(at, head)).sum()
    }
}

/// A number; empty if it is unknown.
pub(super) fn known(number: Option<impl ToString>) -> String {
    known_or(number, "")
}

/// A number, or another text if it is unknown.
pub(super) fn known_or(number: Option<impl ToString>, other: &str) -> String {
    number.map_or_else(|| other.to_owned(), |number| number.to_string())
}

/// A share in percent, with one decimal.
pub(super) fn tenths(percent: Option<f64>) -> String {
    percent.map_or(String::new(), |percent| format!("{percent:.1}"))
}
