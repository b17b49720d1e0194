//! Query results in the output formats of all front ends, and the parts of their texts, plain, as Markdown (as
//! rendered by GitHub) or as HTML: title, lines, and tables under headings.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use super::{
    bar::coloured,
    html,
    list::{self, GAP, ListFormat, ListOptions, Markup, Row, TABLE, TextStyle, aligned, widths},
    markdown::{escaped, item, table_head, table_row},
};
use crate::{
    counts::{GAMES, thousands},
    printable,
    report::PlayerName,
};

/// The result of a query about games. Its JSON is its serialization.
pub(crate) trait Answer: Serialize {
    /// The number of games or rows; 0 means that nothing was found.
    fn count(&self) -> u64;

    /// Writes it as text.
    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()>;

    /// Writes its rows as a list.
    fn write_list(&self, _: &mut dyn Write, _: &ListFormat, _: ListOptions) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// The result as an SVG image, if there is one.
    fn picture(&self) -> Option<String> {
        None
    }
}

/// Plain rows: their text form is a table.
impl<R: Row> Answer for Vec<R> {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let options = ListOptions { width: style.width, ..ListOptions::default() };
        self.write_list(out, TABLE, options)
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, self)
    }
}

impl TextStyle {
    /// The first line of a text.
    pub(super) fn title(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        match self.markup {
            Markup::None => self.line(out, text),
            Markup::Markdown => writeln!(out, "# {}", escaped(text)),
            Markup::Html => writeln!(out, "<h1>{}</h1>", html::line(text)),
        }
    }

    /// A separate line; in Markdown, a paragraph after an empty line.
    pub(super) fn line(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        match self.markup {
            Markup::None => writeln!(out, "{}", printable::line(text)),
            Markup::Markdown => writeln!(out, "\n{}", escaped(text)),
            Markup::Html => writeln!(out, "<p>{}</p>", html::line(text)),
        }
    }

    /// Related lines, each indented.
    pub(super) fn items(self, out: &mut dyn Write, items: &[String]) -> io::Result<()> {
        match self.markup {
            Markup::None => items.iter().try_for_each(|item| writeln!(out, "  {}", printable::line(item))),
            _ if items.is_empty() => Ok(()),
            Markup::Markdown => {
                writeln!(out)?;
                items.iter().try_for_each(|text| item(out, 0, "", text))
            }
            Markup::Html => {
                let items: String =
                    items.iter().map(|item| format!("<li>{}</li>\n", html::line(item))).collect();
                write!(out, "<ul>\n{items}</ul>\n")
            }
        }
    }

    /// The heading of a part of the text, after an empty line.
    pub(super) fn heading(self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        match self.markup {
            Markup::None => writeln!(out, "\n{text}"),
            Markup::Markdown => writeln!(out, "\n## {}", escaped(text)),
            Markup::Html => writeln!(out, "<h2>{}</h2>", html::line(text)),
        }
    }

    /// A table; `right` says which columns are numbers, except those without a heading after the first. Bars are the
    /// last column and have no heading; Markdown omits them, and in plain text they are the only coloured cells.
    pub(super) fn table(
        self,
        out: &mut dyn Write,
        head: &[&str],
        right: impl Fn(usize) -> bool,
        rows: &[Vec<String>],
    ) -> io::Result<()> {
        let right = (0..).zip(head).map(|(at, name)| right(at) && (at == 0 || !name.is_empty()));
        let right: Vec<bool> = right.collect();
        if self.markup == Markup::Html {
            let row = |tag, cells: &[&str]| html::row(tag, cells.iter().copied().zip(right.iter().copied()));
            let cells =
                |cells: &Vec<String>| row("td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
            let rows: String = rows.iter().map(cells).collect();
            return write!(out, "<table>\n<thead>\n{}</thead>\n{rows}</table>\n", row("th", head));
        }
        if self.markup == Markup::Markdown {
            let shown = head.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
            writeln!(out)?;
            table_head(out, head.iter().copied().zip(right).take(shown))?;
            return rows
                .iter()
                .try_for_each(|row| table_row(out, row.iter().map(String::as_str).take(shown)));
        }
        if !self.colour || head.last() != Some(&"") {
            return aligned(out, head, &right, rows);
        }
        let mut text = Vec::new();
        aligned(&mut text, head, &right, rows)?;
        out.write_all(coloured(&String::from_utf8_lossy(&text)).as_bytes())
    }

    /// A table in which the first columns are texts, and one of them is shortened to the space that the others leave.
    pub(super) fn fitted(
        self,
        out: &mut dyn Write,
        head: &[&str],
        texts: usize,
        shortened: usize,
        mut rows: Vec<Vec<String>>,
    ) -> io::Result<()> {
        let taken = taken(head, &rows, shortened);
        rows.iter_mut().for_each(|row| row[shortened] = self.cut(&row[shortened], taken, LEAST));
        self.table(out, head, |at| at >= texts, &rows)
    }

    /// A [fitted](Self::fitted) table under a heading, or nothing if it has no rows. The text before the numbers is
    /// shortened.
    pub(super) fn section(
        self,
        out: &mut dyn Write,
        title: &str,
        head: &[&str],
        texts: usize,
        rows: Vec<Vec<String>>,
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.heading(out, title)?;
        self.fitted(out, head, texts, texts - 1, rows)
    }
}

/// The minimum width of a text that is shortened.
pub(super) const LEAST: usize = 12;

/// The width of all columns except one in a terminal, including the gaps after them.
pub(super) fn taken(head: &[&str], rows: &[Vec<String>], but: usize) -> usize {
    let widths = widths(head, rows).into_iter().enumerate();
    widths.filter(|(at, _)| *at != but).map(|(_, width)| width + GAP).sum()
}

/// A value; empty if it is unknown.
pub(super) fn known(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Names with the number of games of each, and how many more names there are.
pub(super) fn name_items(names: &[PlayerName], more: u64) -> Vec<String> {
    let of = |name: &PlayerName| format!("{}: {}", name.name, GAMES.count(name.games));
    let more = (more > 0).then(|| format!("and {} more names", thousands(more)));
    names.iter().map(of).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_below_another_row_stay_indented() {
        let mut text = Vec::new();
        let rows = [vec!["  1... c5".to_owned(), "7".to_owned()]];
        TextStyle::of(Markup::Markdown).table(&mut text, &["move", "games"], |at| at > 0, &rows).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "\n| move | games |\n| --- | ---: |\n| \u{a0}\u{a0}1... c5 | 7 |\n");
    }
}
