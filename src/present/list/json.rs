//! One JSON array.

use std::io::{self, Write};

use super::{AnyRow, Head, ListFormat, ListOptions, ListWriter};

#[derive(Debug)]
pub(super) struct Json;

impl ListFormat for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "One JSON array"
    }

    fn begin<'a>(&self, out: &'a mut dyn Write, head: Head<'a>, _: ListOptions) -> Box<dyn ListWriter + 'a> {
        Box::new(JsonWriter { out, one_line: head.one_line, is_first: true })
    }
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
