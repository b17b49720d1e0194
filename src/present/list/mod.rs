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
use serde_json::{Map, Value};

use crate::{
    columns::{Cell, ColumnOf, ColumnType, Fit},
    counts::Noun,
};

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

/// The head of a column of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadColumn<'a> {
    /// What stands above it.
    pub name: &'a str,
    /// Whether it stands flush right, as numbers do.
    pub right: bool,
    /// What becomes of it where a table is wider than the terminal.
    pub fit: Fit,
}

impl<'a> HeadColumn<'a> {
    /// That of a column of numbers or of texts.
    pub fn new(name: &'a str, holds: ColumnType) -> HeadColumn<'a> {
        let right = matches!(holds, ColumnType::Integer | ColumnType::Key | ColumnType::Real);
        HeadColumn { name, right, fit: if right { Fit::Whole } else { Fit::Cut } }
    }
}

/// What all rows of a list have in common.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// The columns for programs: CSV and Markdown.
    pub columns: Vec<HeadColumn<'a>>,
    /// The columns for people: the table.
    pub shown: Vec<HeadColumn<'a>>,
    /// What the rows are, where a table ends with their number.
    pub noun: Option<Noun>,
    /// Whether JSON has each object in one line, as suits long lists.
    pub one_line: bool,
}

impl Head<'static> {
    /// That of rows of a type.
    pub fn of<R: Row>() -> Head<'static> {
        let head = |of: &ColumnOf<R>| HeadColumn { fit: of.fit, ..HeadColumn::new(of.name, of.holds) };
        let [columns, shown] = [R::COLUMNS, R::SHOWN].map(|columns| columns.iter().map(head).collect());
        Head { columns, shown, noun: R::NOUN, one_line: R::ONE_LINE }
    }
}

impl<'a> Head<'a> {
    /// That of a list with the same columns for programs and people, each object in one line.
    pub fn new(columns: Vec<HeadColumn<'a>>) -> Head<'a> {
        Head { shown: columns.clone(), columns, noun: None, one_line: true }
    }
}

/// A row of a list. JSON has what [`Serialize`] says, all other formats have columns.
pub trait Row: Serialize + Sized + 'static {
    /// The columns for programs.
    const COLUMNS: &'static [ColumnOf<Self>];

    /// The columns for people.
    const SHOWN: &'static [ColumnOf<Self>] = Self::COLUMNS;

    /// See [`Head::noun`].
    const NOUN: Option<Noun> = None;

    /// See [`Head::one_line`].
    const ONE_LINE: bool = false;
}

/// The values of a row in some columns, as text.
pub(crate) fn texts<R>(row: &R, columns: &[ColumnOf<R>]) -> Vec<String> {
    columns.iter().map(|column| (column.get)(row).into_text()).collect()
}

/// A [`Row`] of any list.
pub trait AnyRow {
    /// The cells for programs, one for each of [`Head::columns`].
    fn cells(&self) -> Vec<String>;

    /// The cells for people, one for each of [`Head::shown`].
    fn shown_cells(&self) -> Vec<String> {
        self.cells()
    }

    /// Writes it as JSON: indented, or in one line.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()>;
}

impl<R: Row> AnyRow for R {
    fn cells(&self) -> Vec<String> {
        texts(self, R::COLUMNS)
    }

    fn shown_cells(&self) -> Vec<String> {
        texts(self, R::SHOWN)
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        write_json(self, out, indented)
    }
}

fn write_json(value: &impl Serialize, out: &mut dyn Write, indented: bool) -> io::Result<()> {
    Ok(if indented { serde_json::to_writer_pretty(out, value) } else { serde_json::to_writer(out, value) }?)
}

/// A row whose columns are known only when the program runs.
pub(crate) struct CellRow<'a> {
    /// The names of the columns.
    pub names: &'a [&'a str],
    /// A value for each.
    pub cells: Vec<Cell>,
}

impl AnyRow for CellRow<'_> {
    fn cells(&self) -> Vec<String> {
        self.cells.iter().cloned().map(Cell::into_text).collect()
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        let value = |cell: &Cell| match cell {
            Cell::Null => Value::Null,
            Cell::Integer(number) => (*number).into(),
            Cell::Real(number) => (*number).into(),
            Cell::Codes(codes) => codes.as_slice().into(),
            Cell::Text(_) | Cell::Bytes(_) => cell.clone().into_text().into(),
        };
        let fields = self.names.iter().zip(&self.cells).map(|(name, cell)| ((*name).to_owned(), value(cell)));
        write_json(&fields.collect::<Map<_, _>>(), out, indented)
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
    let mut list = format.begin(out, Head::of::<R>(), options);
    rows.iter().try_for_each(|row| list.row(row))?;
    list.end()
}
