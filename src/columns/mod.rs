//! Tables in columns, for data analysis without an archive, and the columns of lists.
//!
//! The rows arrive game by game, with one or more rows each, and a [`RowWriter`] writes them. This module knows the
//! file formats, not the contents. For the columns of each table, see `docs/columns.md`.

#[cfg(feature = "columns")]
mod arrow_file;
#[cfg(feature = "columns")]
mod batch;
#[cfg(feature = "columns")]
mod parquet_file;
mod shards;

use std::io;

use data_encoding::HEXLOWER;

#[cfg(feature = "columns")]
pub use arrow_file::ArrowFile;
#[cfg(feature = "columns")]
pub use parquet_file::ParquetFile;
pub use shards::Shards;

/// The type of a column. Any value may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// 64-bit integers.
    Integer,
    /// 64-bit integers that are searched for by value: a Parquet file has a Bloom filter for them.
    Key,
    /// 64-bit floating-point numbers.
    Real,
    /// UTF-8 strings.
    Text,
    /// Byte strings.
    Bytes,
    /// Byte strings of a fixed length.
    FixedBytes(u8),
    /// Lists of 16-bit numbers.
    Codes,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name: lowercase letters and underscores.
    pub name: &'static str,
    /// The type.
    pub holds: ColumnType,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Null.
    Null,
    /// A value of a [`ColumnType::Integer`] or [`ColumnType::Key`] column.
    Integer(i64),
    /// A value of a [`ColumnType::Real`] column.
    Real(f64),
    /// A value of a [`ColumnType::Text`] column.
    Text(String),
    /// A value of a [`ColumnType::Bytes`] or [`ColumnType::FixedBytes`] column.
    Bytes(Vec<u8>),
    /// A value of a [`ColumnType::Codes`] column.
    Codes(Vec<u16>),
}

impl Cell {
    /// A number rounded to some decimal places.
    pub(crate) fn rounded(number: f64, digits: usize) -> Cell {
        Cell::Text(format!("{number:.digits$}"))
    }

    /// Words joined by a separator.
    pub(crate) fn joined(words: impl IntoIterator<Item = impl ToString>, between: &str) -> Cell {
        let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        Cell::Text(words.join(between))
    }

    /// The value as text: null is empty, bytes are hexadecimal, and the numbers of a list are separated by spaces.
    pub(crate) fn into_text(self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Integer(number) => number.to_string(),
            // As in JSON: readers of CSV take a first value without a point for an integer.
            Cell::Real(number) => format!("{number:?}"),
            Cell::Text(text) => text,
            Cell::Bytes(bytes) => HEXLOWER.encode(&bytes),
            Cell::Codes(codes) => codes.iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        }
    }
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Cell {
            fn from(number: $number) -> Cell {
                Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }
    )*};
}

whole_numbers!(u16 u32 u64 usize i64);

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Real(number)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Null, T::into)
    }
}

/// Writes the rows of a table with known columns.
pub trait RowWriter {
    /// Writes the rows of a game, each with a value for each column. They are never split between files.
    ///
    /// # Errors
    /// The rows cannot be written.
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()>;

    /// Finishes the table.
    ///
    /// # Errors
    /// The table cannot be written.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// A column of rows of a type.
#[derive(Debug)]
pub struct ColumnOf<R> {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub holds: ColumnType,
    /// How the column behaves if a table is wider than the terminal.
    pub fit: Fit,
    /// The value in a row.
    pub get: fn(&R) -> Cell,
}

impl<R> Clone for ColumnOf<R> {
    fn clone(&self) -> ColumnOf<R> {
        *self
    }
}

impl<R> Copy for ColumnOf<R> {}

/// How a column behaves if a table is wider than the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It keeps its width.
    Whole,
    /// Its texts are cut if cutting the spare columns is not enough.
    Cut,
    /// Its texts are cut first, and the column is omitted before others are cut.
    Spare,
}

/// A column of text.
pub(crate) const fn text<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Cut, get }
}

/// A column of short words such as dates and results, which would be misleading if cut.
pub(crate) const fn word<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Whole, get }
}

/// A column of text that readers miss least.
pub(crate) const fn spare<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Spare, get }
}

/// A column of numbers; numbers with a special notation are text values.
pub(crate) const fn number<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Integer, fit: Fit::Whole, get }
}

/// Appends columns to others; `N` is the total number.
pub(crate) const fn joined<R, const N: usize>(
    columns: &[ColumnOf<R>],
    others: &[ColumnOf<R>],
) -> [ColumnOf<R>; N] {
    assert!(N == columns.len() + others.len());
    let mut all = [others[0]; N];
    let mut place = 0;
    while place < N {
        all[place] = if place < columns.len() { columns[place] } else { others[place - columns.len()] };
        place += 1;
    }
    all
}
