//! Aligned columns, for reading.

use std::{
    io::{self, Write},
    iter::repeat_n,
};

use unicode_width::UnicodeWidthStr;

use super::{AnyRow, Head, HeadColumn, ListWriter};
use crate::{columns::Fit, printable};

/// The number of rows, and of bytes, before the columns are measured again.
const ROWS: usize = 10_000;
const BYTES: usize = 4 << 20;

pub(super) struct TableWriter<'a> {
    out: &'a mut dyn Write,
    head: Head<'a>,
    width: Option<usize>,
    /// Rows that have not been written yet.
    rows: Vec<Vec<String>>,
    bytes: usize,
    count: u64,
}

impl<'a> TableWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, head: Head<'a>, width: Option<usize>) -> TableWriter<'a> {
        TableWriter { out, head, width, rows: Vec::new(), bytes: 0, count: 0 }
    }

    fn flush(&mut self) -> io::Result<()> {
        let columns = match self.width {
            Some(most) => fit(&mut self.rows, &self.head.shown, most),
            None => self.head.shown.clone(),
        };
        let (head, right): (Vec<&str>, Vec<bool>) =
            columns.iter().map(|column| (column.name, column.right)).unzip();
        aligned(self.out, &head, &right, &self.rows)?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}

impl ListWriter for TableWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.count += 1;
        let cells = row.shown_cells();
        self.bytes += cells.iter().map(String::len).sum::<usize>();
        self.rows.push(cells);
        if self.rows.len() == ROWS || self.bytes > BYTES { self.flush() } else { Ok(()) }
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

/// Spaces between columns.
pub const GAP: usize = 2;

/// The minimum width of a text column, and of one of low priority.
const LEAST: usize = 5;
const LEAST_SPARE: usize = 12;

/// Shortens texts so that rows fit into a terminal: first those of low priority, which are dropped if that is not
/// enough, then the widest. As a last resort, the last columns are dropped. Returns the columns that remain.
fn fit<'a>(rows: &mut [Vec<String>], columns: &[HeadColumn<'a>], most: usize) -> Vec<HeadColumn<'a>> {
    let heads: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let widths = widths(&heads, rows).into_iter().map(|width| width.min(most));
    let mut shown: Vec<(usize, usize)> = widths.enumerate().collect();
    shrink(&mut shown, columns, most, Fit::Spare, LEAST_SPARE);
    if taken(&shown) > most {
        shown.retain(|(column, _)| columns[*column].fit != Fit::Spare);
    }
    shrink(&mut shown, columns, most, Fit::Cut, LEAST);
    while shown.len() > 1 && taken(&shown) > most {
        shown.pop();
    }
    for row in rows {
        let cells = shown.iter().map(|(column, width)| row.get(*column).map(|cell| cut(cell, *width)));
        *row = cells.map(Option::unwrap_or_default).collect();
    }
    shown.iter().map(|(column, _)| columns[*column]).collect()
}

/// Narrows columns of the same priority, the widest first, until all fit or none can be narrowed.
fn shrink(shown: &mut [(usize, usize)], columns: &[HeadColumn<'_>], most: usize, fit: Fit, least: usize) {
    while taken(shown) > most {
        let can = |column: usize, wide: usize| {
            columns[column].fit == fit && wide > least.max(width(columns[column].name))
        };
        let Some((_, widest)) =
            shown.iter_mut().filter(|(column, wide)| can(*column, *wide)).max_by_key(|(_, wide)| *wide)
        else {
            return;
        };
        *widest -= 1;
    }
}

/// The width of a row in a terminal.
fn taken(shown: &[(usize, usize)]) -> usize {
    shown.iter().map(|(_, width)| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// How wide each column is.
pub fn widths(head: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths: Vec<usize> = head.iter().map(|cell| width(cell)).collect();
    for row in rows {
        for (column, cell) in widths.iter_mut().zip(row) {
            *column = (*column).max(width(&printable::line(cell)));
        }
    }
    widths
}

/// The maximum padding of a column: longer texts are printed completely, and only their row becomes wider.
const MOST_PADDED: usize = 100;

/// Prints aligned columns, one line per row. `right` says which columns are numbers.
///
/// # Errors
/// It cannot be written.
pub fn aligned(out: &mut dyn Write, head: &[&str], right: &[bool], rows: &[Vec<String>]) -> io::Result<()> {
    let widths: Vec<usize> = widths(head, rows).into_iter().map(|width| width.min(MOST_PADDED)).collect();
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let mut line = String::new();
    for row in std::iter::once(&head).chain(rows) {
        line.clear();
        for ((cell, width_wanted), right) in row.iter().zip(&widths).zip(right) {
            let cell = printable::line(cell);
            let padding = width_wanted.saturating_sub(width(&cell));
            let (before, after) = if *right { (padding, 0) } else { (0, padding) };
            line.extend(repeat_n(' ', before));
            line.push_str(&cell);
            line.extend(repeat_n(' ', after + GAP));
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// The width of a text in a terminal.
fn width(text: &str) -> usize {
    // Measuring ASCII letters one by one would take longer than the rest of a table.
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The maximum number of characters per terminal column of a shortened text: combining marks have no width.
const MARKS: usize = 4;

/// A text on one line, escaped and shortened to a width, with an ellipsis.
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
    fn a_text_is_cut_to_the_width_of_a_terminal() {
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
    fn low_priority_columns_shrink_first_and_words_and_numbers_never() {
        let column = |(name, right, fit)| HeadColumn { name, right, fit };
        let columns = [
            ("id", true, Fit::Whole),
            ("white", false, Fit::Cut),
            ("date", false, Fit::Whole),
            ("event", false, Fit::Spare),
            ("plies", true, Fit::Whole),
        ]
        .map(column);
        let row = ["123", "Nepomniachtchi, Ian", "2021.12.03", "World Championship match", "136"];
        for (most, shown) in [
            (75, "123  Nepomniachtchi, Ian  2021.12.03  World Championship match    136"),
            (60, "123  Nepomniachtchi, Ian  2021.12.03  World Champion…    136"),
            (57, "123  Nepomniachtchi, Ian  2021.12.03  World Champ…    136"),
            (50, "123  Nepomniachtchi, Ian  2021.12.03    136"),
            (43, "123  Nepomniachtchi, Ian  2021.12.03    136"),
            (40, "123  Nepomniachtchi,…  2021.12.03    136"),
            (29, "123  Nepo…  2021.12.03    136"),
            (28, "123  Nepo…  2021.12.03"),
            (10, "123  Nepo…"),
        ] {
            let mut rows = vec![row.map(str::to_owned).to_vec()];
            let kept = fit(&mut rows, &columns, most);
            let (head, right): (Vec<&str>, Vec<bool>) =
                kept.iter().map(|column| (column.name, column.right)).unzip();
            let mut text = Vec::new();
            aligned(&mut text, &head, &right, &rows).unwrap();
            assert_eq!(String::from_utf8(text).unwrap().lines().last(), Some(shown), "{most}");
        }
    }

    #[test]
    fn a_text_of_any_length_is_complete_and_widens_only_its_row() {
        let rows = [["x".repeat(5000), "1".to_owned()], ["y".to_owned(), "2".to_owned()]];
        let mut text = Vec::new();
        aligned(&mut text, &["name", "n"], &[false, true], &rows.map(Vec::from)).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(&"x".repeat(5000)));
        assert_eq!(text.lines().last().unwrap().len(), MOST_PADDED + GAP + 1);
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
