//! Lists as CSV (RFC 4180), JSON, JSON lines, Markdown and HTML.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use super::{AnyRow, Head, ListWriter};
use crate::present::{
    html,
    markdown::{table_head, table_row},
};

pub(super) struct CsvWriter<'a> {
    out: &'a mut dyn Write,
    /// `None` once it has been written.
    head: Option<Head<'a>>,
    spreadsheet: bool,
    /// A buffer that is reused for every row.
    line: String,
}

impl<'a> CsvWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, head: Head<'a>, spreadsheet: bool) -> CsvWriter<'a> {
        CsvWriter { out, head: Some(head), spreadsheet, line: String::new() }
    }

    fn head(&mut self) -> io::Result<()> {
        let Some(head) = self.head.take() else { return Ok(()) };
        self.line(head.columns.iter().map(|column| column.name))
    }

    fn line<'c>(&mut self, cells: impl Iterator<Item = &'c str>) -> io::Result<()> {
        self.line.clear();
        for cell in cells {
            self.line.push_str(&csv_cell(cell, self.spreadsheet));
            self.line.push(',');
        }
        self.line.pop();
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
}

impl ListWriter for CsvWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.head()?;
        self.line(row.cells().iter().map(String::as_str))
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.head()
    }
}

/// A cell, quoted if necessary. Some programs treat a cell as a formula because of its first character; for them such a
/// cell is prefixed with an apostrophe.
fn csv_cell(cell: &str, spreadsheet: bool) -> Cow<'_, str> {
    let formula = spreadsheet && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = if formula { Cow::from(format!("'{cell}")) } else { cell.into() };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\"")).into()
    } else {
        cell
    }
}

pub(super) struct JsonWriter<'a> {
    pub out: &'a mut dyn Write,
    pub one_line: bool,
    pub is_first: bool,
}

impl ListWriter for JsonWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.out.write_all(if self.is_first { b"[\n" } else { b",\n" })?;
        self.is_first = false;
        if self.one_line {
            return row.write_json(self.out, false);
        }
        let mut json = Vec::new();
        row.write_json(&mut json, true)?;
        // JSON strings never contain a raw line feed; it is written as \n.
        write!(self.out, "  {}", String::from_utf8_lossy(&json).replace('\n', "\n  "))
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.out.write_all(if self.is_first { b"[]\n" } else { b"\n]\n" })
    }
}

pub(super) struct JsonLinesWriter<'a>(pub &'a mut dyn Write);

impl ListWriter for JsonLinesWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        row.write_json(self.0, false)?;
        writeln!(self.0)
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct MarkdownWriter<'a> {
    pub out: &'a mut dyn Write,
    /// `None` once it has been written.
    pub head: Option<Head<'a>>,
}

impl MarkdownWriter<'_> {
    fn head(&mut self) -> io::Result<()> {
        let Some(head) = self.head.take() else { return Ok(()) };
        table_head(self.out, head.columns.iter().map(|column| (column.name, column.right)))
    }
}

impl ListWriter for MarkdownWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.head()?;
        table_row(self.out, row.cells().iter().map(String::as_str))
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.head()
    }
}

pub(super) struct HtmlWriter<'a> {
    pub out: &'a mut dyn Write,
    pub head: Head<'a>,
    pub is_begun: bool,
    pub count: u64,
}

impl HtmlWriter<'_> {
    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let Head { title, noun, page, .. } = &self.head;
        let heading = title.as_deref().map(|title| format!("<h1>{}</h1>\n", html::line(title)));
        let heading = heading.unwrap_or_default();
        let title = title.as_deref().unwrap_or(noun.map_or("list", |noun| noun.many));
        let head = html::row("th", page.iter().map(|column| (column.name, column.right)));
        write!(self.out, "{}{heading}<table>\n<thead>\n{head}</thead>\n", html::begin(title))
    }
}

impl ListWriter for HtmlWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.begin()?;
        self.count += 1;
        let (cells, right) = (row.page_cells(), self.head.page.iter().map(|column| column.right));
        self.out.write_all(html::row("td", cells.iter().map(String::as_str).zip(right)).as_bytes())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.begin()?;
        let count = self.head.noun.map(|noun| format!("<p>{}</p>\n", noun.count(self.count)));
        write!(self.out, "</table>\n{}{}", count.unwrap_or_default(), html::END)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_marked_for_spreadsheets_only() {
        for formula in ["=1+1", "+x", "-x", "@x", "\tx", "\rx"] {
            assert!(csv_cell(formula, true).trim_start_matches('"').starts_with('\''), "{formula}");
            assert!(!csv_cell(formula, false).contains('\''), "{formula}");
        }
        assert_eq!(csv_cell("1-0", true), "1-0");
        assert_eq!(csv_cell("=\"a\",b", true), "\"'=\"\"a\"\",b\"");
    }
}
