//! Lists: rows in any of the [`LIST_FORMATS`].
//!
//! A list is written while its rows arrive, so its length is unlimited. A new format needs a [`ListWriter`] and a line
//! in [`LIST_FORMATS`]; a new list needs a [`Row`].

mod picked;
mod table;
mod writers;

use std::{
    fmt::Debug,
    io::{self, Write},
};

use serde::Serialize;

use crate::{
    columns::{ColumnOf, ColumnType, Fit},
    counts::Noun,
};

use table::TableWriter;
pub(super) use table::{GAP, widths};
pub(crate) use table::{aligned, cut};
use writers::{CsvWriter, HtmlWriter, JsonLinesWriter, JsonWriter, MarkdownWriter};

/// All list formats, the text table first.
pub static LIST_FORMATS: &[ListFormat] = &[
    ListFormat::new("table", "Aligned columns, for reading", |out, head, options| {
        Box::new(TableWriter::new(out, head, options.width))
    }),
    ListFormat::new("csv", "Comma-separated values with a header line", |out, head, options| {
        Box::new(CsvWriter::new(out, head, options.spreadsheet))
    }),
    ListFormat::new("json", "One JSON array", |out, head, _| {
        Box::new(JsonWriter { out, one_line: head.one_line, is_first: true })
    }),
    ListFormat::new("jsonl", "One JSON object per line", |out, _, _| Box::new(JsonLinesWriter(out))),
    ListFormat::new("markdown", "A Markdown table", |out, head, _| {
        Box::new(MarkdownWriter { out, head: Some(head) })
    }),
    ListFormat::new("html", "A page with a table, for printing and for a site", |out, head, _| {
        Box::new(HtmlWriter { out, head, is_begun: false, count: 0 })
    }),
];

/// The text format: aligned columns.
pub(crate) static TABLE: &ListFormat = &LIST_FORMATS[0];

/// The format with this name.
///
/// ```
/// use plybook::present::list;
/// assert!(list::by_name("csv").is_some() && list::by_name("yaml").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static ListFormat> {
    LIST_FORMATS.iter().find(|format| format.name == name)
}

/// Begins a list. Nothing is written before the first row or the end.
type Begin = for<'a> fn(&'a mut dyn Write, Head<'a>, ListOptions) -> Box<dyn ListWriter + 'a>;

/// A way to write a list.
#[derive(Clone, Debug)]
pub struct ListFormat {
    /// Its name.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    begin: Begin,
    /// What a page says above the list; other formats have no place for it.
    title: Option<String>,
    /// The [selected](Self::limited) columns; empty for all of them.
    columns: Vec<String>,
}

impl ListFormat {
    const fn new(name: &'static str, about: &'static str, begin: Begin) -> ListFormat {
        ListFormat { name, about, begin, title: None, columns: Vec::new() }
    }

    /// The same format with something that a page says above the list.
    pub(crate) fn titled(&self, title: String) -> ListFormat {
        ListFormat { title: Some(title), ..self.clone() }
    }

    /// Begins a list. Nothing is written before the first row or the end.
    pub fn begin<'a>(
        &self,
        out: &'a mut dyn Write,
        head: Head<'a>,
        options: ListOptions,
    ) -> Box<dyn ListWriter + 'a> {
        let head = Head { title: self.title.clone(), ..head };
        if self.columns.is_empty() {
            return (self.begin)(out, head, options);
        }
        picked::begin(&self.columns, head, |head| (self.begin)(out, head, options))
    }
}

/// Writes the rows of one list.
pub trait ListWriter {
    /// Writes a row, or keeps it until the rows around it are known.
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

/// Options in addition to the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// Whether CSV marks cells that spreadsheets would treat as formulas.
    pub spreadsheet: bool,
    /// The maximum width of a table; `None` never shortens a cell.
    pub width: Option<usize>,
}

/// How text is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextStyle {
    /// Whether to use colour.
    pub colour: bool,
    /// The maximum width of a line; `None` never shortens a text.
    pub width: Option<usize>,
    /// How headings, lists and tables are marked.
    pub markup: Markup,
}

/// A markup language for text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Markup {
    /// Text for a terminal.
    #[default]
    None,
    Markdown,
    /// The content of a [document](super::html).
    Html,
}

impl TextStyle {
    /// Text of any width in a markup language.
    pub const fn of(markup: Markup) -> TextStyle {
        TextStyle { colour: false, width: None, markup }
    }

    /// Whether it is text for a terminal.
    pub(in crate::present) fn is_plain(self) -> bool {
        self.markup == Markup::None
    }

    /// A text, shortened to the space that the other columns leave, but not below a minimum.
    pub(in crate::present) fn cut(self, text: &str, taken: usize, least: usize) -> String {
        self.width.map_or_else(|| text.to_owned(), |width| cut(text, width.saturating_sub(taken).max(least)))
    }
}

/// The heading of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadColumn<'a> {
    /// The name of the column.
    pub name: &'a str,
    /// Whether it is aligned right, like numbers.
    pub right: bool,
    /// How it shrinks if a table is wider than the terminal.
    pub fit: Fit,
}

impl<'a> HeadColumn<'a> {
    /// The heading of a column of a type.
    pub fn new(name: &'a str, holds: ColumnType) -> HeadColumn<'a> {
        let right = matches!(holds, ColumnType::Integer | ColumnType::Key | ColumnType::Real);
        HeadColumn { name, right, fit: if right { Fit::Whole } else { Fit::Cut } }
    }
}

/// The properties that all rows of a list share.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// What the list is, for a page.
    pub title: Option<String>,
    /// The columns of CSV and Markdown.
    pub columns: Vec<HeadColumn<'a>>,
    /// The columns of the text table.
    pub shown: Vec<HeadColumn<'a>>,
    /// The columns of a page.
    pub page: Vec<HeadColumn<'a>>,
    /// The name of the rows, if a table ends with their number.
    pub noun: Option<Noun>,
    /// Whether JSON writes each object on one line, for long lists.
    pub one_line: bool,
}

impl Head<'static> {
    /// The heading of rows of a type.
    pub fn of<R: Row>() -> Head<'static> {
        let head = |of: &ColumnOf<R>| HeadColumn { fit: of.fit, ..HeadColumn::new(of.name, of.holds) };
        let [columns, shown, page] =
            [R::COLUMNS, R::SHOWN, R::PAGE].map(|columns| columns.iter().map(head).collect());
        Head { title: None, columns, shown, page, noun: R::NOUN, one_line: R::ONE_LINE }
    }
}

impl<'a> Head<'a> {
    /// The heading of a list with the same columns in all formats, each JSON object on one line.
    pub fn new(columns: Vec<HeadColumn<'a>>) -> Head<'a> {
        Head {
            title: None,
            shown: columns.clone(),
            page: columns.clone(),
            columns,
            noun: None,
            one_line: true,
        }
    }
}

/// A row of a list. JSON uses [`Serialize`]; all other formats use columns.
pub trait Row: Serialize + Sized + 'static {
    /// The columns of machine-readable formats.
    const COLUMNS: &'static [ColumnOf<Self>];

    /// The columns of the text table.
    const SHOWN: &'static [ColumnOf<Self>] = Self::COLUMNS;

    /// The columns of a page, whose readers may not have the archive.
    const PAGE: &'static [ColumnOf<Self>] = Self::SHOWN;

    /// See [`Head::noun`].
    const NOUN: Option<Noun> = None;

    /// See [`Head::one_line`].
    const ONE_LINE: bool = false;
}

/// The values of some columns of a row, as text.
pub(crate) fn texts<R>(row: &R, columns: &[ColumnOf<R>]) -> Vec<String> {
    columns.iter().map(|column| (column.get)(row).into_text()).collect()
}

/// A [`Row`] of any list.
pub trait AnyRow {
    /// The cells of machine-readable formats, one for each of [`Head::columns`].
    fn cells(&self) -> Vec<String>;

    /// The cells of the text table, one for each of [`Head::shown`].
    fn shown_cells(&self) -> Vec<String> {
        self.cells()
    }

    /// The cells of a page, one for each of [`Head::page`].
    fn page_cells(&self) -> Vec<String> {
        self.shown_cells()
    }

    /// Writes it as JSON: indented, or on one line.
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

    fn page_cells(&self) -> Vec<String> {
        texts(self, R::PAGE)
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        write_json(self, out, indented)
    }
}

pub(super) fn write_json(value: &impl Serialize, out: &mut dyn Write, indented: bool) -> io::Result<()> {
    Ok(if indented { serde_json::to_writer_pretty(out, value) } else { serde_json::to_writer(out, value) }?)
}

/// Writes a complete list.
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
    format: &ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
    rows: &[R],
) -> io::Result<()> {
    let mut list = format.begin(out, Head::of::<R>(), options);
    rows.iter().try_for_each(|row| list.row(row))?;
    list.end()
}
