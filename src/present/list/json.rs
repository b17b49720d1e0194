//! One JSON array, and JSON lines: one object per line.

use std::io::{self, Write};

use super::{AnyRow, Head, ListOptions, ListWriter};

pub(super) fn begin_array<'a>(
    out: &'a mut dyn Write,
    head: Head<'a>,
    _: ListOptions,
) -> Box<dyn ListWriter + 'a> {
    Box::new(JsonWriter { out, one_line: head.one_line, is_first: true })
}

struct JsonWriter<'a> {
    out: &'a mut dyn Write,
    one_line: bool,
    is_first: bool,
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

pub(super) fn begin_lines<'a>(
    out: &'a mut dyn Write,
    _: Head<'a>,
    _: ListOptions,
) -> Box<dyn ListWriter + 'a> {
    Box::new(JsonLinesWriter(out))
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
