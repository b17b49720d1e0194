//! A table in Markdown, for a page of documentation or a message.

use std::io::{self, Write};

use super::{AnyRow, Head, ListFormat, ListOptions, ListWriter};
use crate::printable;

#[derive(Debug)]
pub(super) struct Markdown;

impl ListFormat for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn about(&self) -> &'static str {
        "A Markdown table"
    }

    fn begin<'a>(&self, out: &'a mut dyn Write, head: Head<'a>, _: ListOptions) -> Box<dyn ListWriter + 'a> {
        Box::new(MarkdownWriter { out, head: Some(head) })
    }
}

struct MarkdownWriter<'a> {
    out: &'a mut dyn Write,
    /// Until it is written.
    head: Option<Head<'a>>,
}

impl MarkdownWriter<'_> {
    fn head(&mut self) -> io::Result<()> {
        let Some(head) = self.head.take() else { return Ok(()) };
        self.line(head.columns.iter().map(|column| column.name))?;
        self.line(head.columns.iter().map(|column| if column.right { "---:" } else { "---" }))
    }

    fn line<'a>(&mut self, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
        writeln!(self.out, "| {} |", cells.collect::<Vec<_>>().join(" | "))
    }
}

impl ListWriter for MarkdownWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.head()?;
        let cells: Vec<String> = row.cells().iter().map(|cell| escaped(cell)).collect();
        self.line(cells.iter().map(String::as_str))
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.head()
    }
}

/// A text that Markdown shows as it is: in one line, its signs without their meaning.
fn escaped(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for c in printable::line(cell).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_cell_breaks_the_table_or_the_page() {
        for (cell, shown) in [
            ("1/2-1/2", "1/2-1/2"),
            ("a|b\nc", "a\\|b\\\\u{a}c"),
            ("<b>&amp;*_[x](y)`~", "\\<b\\>\\&amp;\\*\\_\\[x\\](y)\\`\\~"),
            ("C:\\x", "C:\\\\x"),
        ] {
            assert_eq!(super::escaped(cell), shown);
        }
    }
}
