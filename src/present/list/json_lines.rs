//! JSON lines: one object per line.

use std::io::{self, Write};

use super::{AnyRow, Head, ListFormat, ListOptions, ListWriter};

#[derive(Debug)]
pub(super) struct JsonLines;

impl ListFormat for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn about(&self) -> &'static str {
        "One JSON object per line"
    }

    fn begin<'a>(&self, out: &'a mut dyn Write, _: Head<'a>, _: ListOptions) -> Box<dyn ListWriter + 'a> {
        Box::new(JsonLinesWriter(out))
    }
}

struct JsonLinesWriter<'a>(&'a mut dyn Write);

impl ListWriter for JsonLinesWriter<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        row.write_json(self.0, false)?;
        writeln!(self.0)
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
