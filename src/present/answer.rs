//! An answer in the forms that a front end can choose from: each is defined here once, and asked for by its name.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use super::list::{self, ListFormat, ListOptions, Row, TABLE, TextStyle};

/// An answer to a question about games. As JSON it is what it serializes to.
pub(crate) trait Answer: Serialize {
    /// How many games it is about, or rows it has: without any, nothing was found.
    fn count(&self) -> u64;

    /// Writes it for people.
    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()>;

    /// Writes its rows as a list.
    fn write_list(&self, _: &mut dyn Write, _: ListStyle<'_>) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    /// It as a picture, an SVG, if there is one.
    fn picture(&self) -> Option<String> {
        None
    }
}

/// How rows are written.
#[derive(Clone, Copy)]
pub(crate) struct ListStyle<'a> {
    /// The format.
    pub format: &'a dyn ListFormat,
    /// What may be chosen besides.
    pub options: ListOptions,
}

impl ListStyle<'_> {
    /// Writes rows.
    pub(crate) fn write<R: Row>(self, out: &mut dyn Write, rows: &[R]) -> io::Result<()> {
        list::write(self.format, self.options, out, rows)
    }
}

/// Rows alone: people see them as a table.
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
