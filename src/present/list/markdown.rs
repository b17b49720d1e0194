//! A Markdown table, for documentation or messages.

use std::io::{self, Write};

use super::{AnyRow, Head, ListOptions, ListWriter};
use crate::present::blocks::{table_head, table_row};

pub(super) fn begin<'a>(out: &'a mut dyn Write, head: Head<'a>, _: ListOptions) -> Box<dyn ListWriter + 'a> {
    Box::new(MarkdownWriter { out, head: Some(head) })
}

struct MarkdownWriter<'a> {
    out: &'a mut dyn Write,
    /// `None` once it has been written.
    head: Option<Head<'a>>,
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
