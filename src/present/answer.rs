//! Query results in the output formats of all front ends. Each format is defined once and selected by name.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use super::list::{self, ListFormat, ListOptions, Row, TABLE, TextStyle};

/// The result of a query about games. Its JSON is its serialization.
pub(crate) trait Answer: Serialize {
    /// The number of games or rows; 0 means that nothing was found.
    fn count(&self) -> u64;

    /// Writes it as text.
    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()>;

    /// Writes its rows as a list.
    fn write_list(&self, _: &mut dyn Write, _: ListStyle<'_>) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// The result as an SVG image, if there is one.
    fn picture(&self) -> Option<String> {
        None
    }
}

/// How rows are written.
#[derive(Clone, Copy)]
pub(crate) struct ListStyle<'a> {
    /// The format.
    pub format: &'a ListFormat,
    /// Further choices.
    pub options: ListOptions,
}

impl ListStyle<'_> {
    /// Writes rows.
    pub(crate) fn write<R: Row>(self, out: &mut dyn Write, rows: &[R]) -> io::Result<()> {
        list::write(self.format, self.options, out, rows)
    }
}

/// Plain rows: their text form is a table.
impl<R: Row> Answer for Vec<R> {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let options = ListOptions { width: style.width, ..ListOptions::default() };
        self.write_list(out, ListStyle { format: TABLE, options })
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, self)
    }
}
