//! Aligned columns, for people.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{AnyRow, Head, ListFormat, ListOptions, ListWriter};
use crate::printable;

/// Rows of a table before its columns are measured anew.
const ROWS: usize = 10_000;

#[derive(Debug)]
pub(super) struct Table;

impl ListFormat for Table {
    fn name(&self) -> &'static str {
        "table"
    }

    fn about(&self) -> &'static str {
        "Aligned columns, for people"
    }

    fn begin<'a>(
        &self,
        out: &'a mut dyn Write,
        head: Head<'a>,
        options: ListOptions,
    ) -> Box<dyn ListWriter + 'a> {
        Box::new(TableWriter { out, head, width: options.width, rows: Vec::new(), count: 0 })
    }
}

struct TableWriter<'a> {
    out: &'a mut dyn Write,
    head: Head<'a>,
    width: Option<usize>,
    /// Those that are not written yet.
    rows: Vec<Vec<String>>,
    count: u64,
}

impl TableWriter<'_> {
    fn flush(&mut self) -> io::Result<()> {
        let (head, right): (Vec<&str>, Vec<bool>) =
            self.head.shown.iter().map(|column| (column.name, column.right)).unzip();
        if let Some(most) = self.width {
            fit(&mut self.rows, &head, &right, most);
        }
        aligned(self.out, &head, &right, &self.rows)?;
        self.rows.clear();
        Ok(())
    }
}

impl ListWriter for TableWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.count += 1;
        self.rows.push(row.shown_cells());
        if self.rows.len() == ROWS { self.flush() } else { Ok(()) }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        match self.head.noun {
            Some(noun) if self.count == 0 => return writeln!(self.out, "no {}", noun.many),
            _ if !self.rows.is_empty() || self.count == 0 => self.flush()?,
            _ => {}
        }
        self.head.noun.map_or(Ok(()), |noun| writeln!(self.out, "{}", noun.count(self.count)))
    }
}

/// Blanks between columns.
const GAP: usize = 2;

/// The least that a column of text is cut to.
const LEAST: usize = 5;

/// Cuts texts so that rows fit into so many columns of a terminal: the widest columns first, numbers not at all. Where
/// that is not enough, the last columns are left out.
fn fit(rows: &mut [Vec<String>], head: &[&str], right: &[bool], most: usize) {
    let mut widths: Vec<usize> = widths(head, rows).into_iter().map(|width| width.min(most)).collect();
    let total = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    while total(&widths) > most {
        let least = |column: usize| LEAST.max(width(head[column]));
        let texts = (0..widths.len()).filter(|column| !right[*column] && widths[*column] > least(*column));
        let Some(widest) = texts.max_by_key(|column| widths[*column]) else { break };
        widths[widest] -= 1;
    }
    let mut shown = widths.len();
    while shown > 1 && total(&widths[..shown]) > most {
        shown -= 1;
    }
    for row in rows {
        row.truncate(shown);
        for (cell, width) in row.iter_mut().zip(&widths) {
            *cell = cut(cell, *width);
        }
    }
}

/// How wide each column is.
fn widths(head: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths: Vec<usize> = head.iter().map(|cell| width(cell)).collect();
    for row in rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(width(&printable::line(cell)));
        }
    }
    widths
}

/// Prints aligned columns, one line a row. `right` says which columns are numbers.
///
/// # Errors
/// It cannot be written.
pub fn aligned(out: &mut dyn Write, head: &[&str], right: &[bool], rows: &[Vec<String>]) -> io::Result<()> {
    let widths = widths(head, rows);
    let shown = rows.first().map_or(head.len(), Vec::len);
    let head: Vec<String> = head[..shown.min(head.len())].iter().map(|cell| (*cell).to_owned()).collect();
    let mut line = String::new();
    for row in std::iter::once(&head).chain(rows) {
        line.clear();
        for ((cell, width_wanted), right) in row.iter().zip(&widths).zip(right) {
            let cell = printable::line(cell);
            let padding = width_wanted.saturating_sub(width(&cell));
            let (before, after) = if *right { (padding, 0) } else { (0, padding) };
            pad(&mut line, before);
            line.push_str(&cell);
            pad(&mut line, after + GAP);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn pad(line: &mut String, mut blanks: usize) {
    const BLANKS: &str = "                                ";
    while blanks > 0 {
        let some = blanks.min(BLANKS.len());
        line.push_str(&BLANKS[..some]);
        blanks -= some;
    }
}

/// The columns of a terminal that a text takes.
fn width(text: &str) -> usize {
    // Letters of ASCII take one each; to measure them one by one takes longer than all else of a table.
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Most columns that a name takes where a list is not cut to a terminal: longer ones are no names.
pub const LONGEST_NAME: usize = 100;

/// Most characters for each column of a text that is cut: marks above and below a letter have no width.
const MARKS: usize = 4;

/// A text in one line, escaped and cut to so many columns of a terminal, with an ellipsis.
pub fn cut(text: &str, width: usize) -> String {
    let text = printable::line(text);
    if self::width(&text) <= width && text.chars().count() <= MARKS * width {
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
}
