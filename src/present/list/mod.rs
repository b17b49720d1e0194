//! Lists: one row after the other, in any of the [`LIST_FORMATS`].
//!
//! A list is written while its rows come, so that it may be as long as it likes. Adding a format is one file
//! and one line in [`LIST_FORMATS`]; adding a list is a [`Row`].

mod csv;
mod json;
mod json_lines;
mod markdown;
mod picked;
mod table;

use std::{
    fmt::Debug,
    io::{self, Write},
};

use serde::Serialize;

use crate::counts::Noun;

pub(crate) use picked::{Picked, UnknownColumn};
pub(crate) use table::{aligned, cut};

/// Every format of lists, the one for people first.
pub static LIST_FORMATS: &[&dyn ListFormat] =
    &[&table::Table, &csv::Csv, &json::Json, &json_lines::JsonLines, &markdown::Markdown];

/// The format for people: aligned columns.
pub(crate) const TABLE: &dyn ListFormat = &table::Table;

/// The format with this name.
///
/// ```
/// use plybook::present::list;
/// assert!(list::by_name("csv").is_some() && list::by_name("yaml").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn ListFormat> {
    LIST_FORMATS.iter().copied().find(|format| format.name() == name)
}

/// A way to write a list.
pub trait ListFormat: Debug + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it is, in a few words.
    fn about(&self) -> &'static str;

    /// Begins a list. Nothing is written before the first row or the end.
    fn begin<'a>(
        &'a self,
        out: &'a mut dyn Write,
        head: Head<'a>,
        options: ListOptions,
    ) -> Box<dyn ListWriter + 'a>;
}

/// Writes the rows of one list.
pub trait ListWriter {
    /// Writes a row, or keeps it until its neighbours are known.
    ///
    /// # Errors
    /// It cannot be written.
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()>;

    /// Ends the list.
    ///
    /// # Errors
    /// It cannot be written.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// What callers may choose besides the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Cells that spreadsheets would take for formulas are marked in CSV.
    pub spreadsheet: bool,
    /// The columns of the terminal that a table must fit into; `None` leaves every cell whole.
    pub width: Option<usize>,
}

/// How a text for people is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextStyle {
    /// In colour.
    pub colour: bool,
    /// The columns of the terminal that its lines should fit into; `None` leaves every text whole.
    pub width: Option<usize>,
    /// As Markdown: with headings, lists and tables.
    pub markdown: bool,
}

impl TextStyle {
    /// Markdown.
    pub const MARKDOWN: TextStyle = TextStyle { colour: false, width: None, markdown: true };

    /// A text, cut to the columns that others leave of a line, but to no fewer than these.
    pub(in crate::present) fn cut(self, text: &str, taken: usize, least: usize) -> String {
        self.width.map_or_else(|| text.to_owned(), |width| cut(text, width.saturating_sub(taken).max(least)))
    }
}

/// A column of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadColumn<'a> {
    /// What stands above it.
    pub name: &'a str,
    /// Whether it stands flush right, as numbers do.
    pub right: bool,
    /// What becomes of it where a table is wider than the terminal.
    pub fit: Fit,
}

/// How a column gives way where a table is wider than the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It stays as it is.
    Whole,
    /// Its texts are cut, if what is spare is not enough.
    Cut,
    /// Its texts are cut first, and left out before any other is cut.
    Spare,
}

/// A column whose name is known when the program is built.
pub(crate) type Column = HeadColumn<'static>;

/// A column of text.
pub(crate) const fn text(name: &str) -> HeadColumn<'_> {
    HeadColumn { name, right: false, fit: Fit::Cut }
}

/// A column of short words, such as dates and results: cut, they would say something else.
pub(crate) const fn word(name: &str) -> HeadColumn<'_> {
    HeadColumn { name, right: false, fit: Fit::Whole }
}

/// A column of text that a reader misses least.
pub(crate) const fn spare(name: &str) -> HeadColumn<'_> {
    HeadColumn { name, right: false, fit: Fit::Spare }
}

/// A column of numbers.
pub(crate) const fn number(name: &str) -> HeadColumn<'_> {
    HeadColumn { name, right: true, fit: Fit::Whole }
}

/// What all rows of a list have in common.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The columns for programs: CSV and Markdown.
    pub columns: &'a [HeadColumn<'a>],
    /// The columns for people: the table.
    pub shown: &'a [HeadColumn<'a>],
    /// What the rows are, where a table ends with their number.
    pub noun: Option<Noun>,
    /// Whether JSON has each object in one line, as suits long lists.
    pub one_line: bool,
}

/// That of a list whose columns are known when the program is built.
pub(crate) type ListHead = Head<'static>;

impl<'a> Head<'a> {
    /// A list with the same columns for programs and people.
    pub const fn new(columns: &'a [HeadColumn<'a>]) -> Head<'a> {
        Head { columns, shown: columns, noun: None, one_line: false }
    }
}

/// A row of a list. JSON has what [`Serialize`] says, all other formats have cells.
pub trait Row: Serialize {
    /// The columns.
    const HEAD: ListHead;

    /// The cells for programs, one for each of [`ListHead::columns`].
    fn cells(&self) -> Vec<String>;

    /// The cells for people, one for each of [`ListHead::shown`].
    fn shown_cells(&self) -> Vec<String> {
        self.cells()
    }
}

/// A [`Row`] of any list.
pub trait AnyRow {
    /// See [`Row::cells`].
    fn cells(&self) -> Vec<String>;

    /// See [`Row::shown_cells`].
    fn shown_cells(&self) -> Vec<String>;

    /// Writes it as JSON in one line.
    ///
    /// # Errors
    /// It cannot be written.
    fn json_line(&self, out: &mut dyn Write) -> io::Result<()>;

    /// It as JSON in several lines, indented.
    ///
    /// # Errors
    /// A value has no JSON.
    fn json_lines(&self) -> io::Result<String>;
}

impl<R: Row> AnyRow for R {
    fn cells(&self) -> Vec<String> {
        Row::cells(self)
    }

    fn shown_cells(&self) -> Vec<String> {
        Row::shown_cells(self)
    }

    fn json_line(&self, out: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }

    fn json_lines(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}

/// Writes a whole list.
///
/// ```
/// use plybook::present::{codecs, list};
/// let mut text = Vec::new();
/// list::write(list::by_name("markdown").unwrap(), list::ListOptions::default(), &mut text, &codecs::all())?;
/// assert!(text.starts_with(b"| codec | of |"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// It cannot be written.
pub fn write<R: Row>(
    format: &dyn ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
    rows: &[R],
) -> io::Result<()> {
    let mut list = format.begin(out, R::HEAD, options);
    rows.iter().try_for_each(|row| list.row(row))?;
    list.end()
}
