//! Tables in columns: what programs that analyse data read in place of an archive.
//!
//! A table comes game by game, with a row or more for each; a [`RowWriter`] writes it. This folder knows how files of columns look, not what stands in
//! them. `docs/columns.md` has the columns of each table.

#[cfg(feature = "columns")]
mod arrow_file;
#[cfg(feature = "columns")]
mod parquet_file;
mod shards;
mod typed;
mod without;

use std::io;

use data_encoding::HEXLOWER;

#[cfg(feature = "columns")]
pub use arrow_file::ArrowFile;
#[cfg(feature = "columns")]
pub use parquet_file::ParquetFile;
pub use shards::Shards;
pub use typed::{ColumnOf, Fit};
pub(crate) use typed::{joined, number, spare, text, word};
pub use without::WithoutColumn;

/// What stands in a column. Any value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Whole numbers of 64 bits.
    Integer,
    /// The same, of which one asks whether a certain one is there: a Parquet file has a Bloom filter of them.
    Key,
    /// Other numbers, of 64 bits.
    Real,
    /// Texts in UTF-8.
    Text,
    /// Strings of bytes.
    Bytes,
    /// Strings of so many bytes each.
    FixedBytes(u8),
    /// Lists of numbers of 16 bits.
    Codes,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name: small letters and underscores.
    pub name: &'static str,
    /// What stands in it.
    pub holds: ColumnType,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// There is none.
    Null,
    /// Of a column of [`ColumnType::Integer`] or [`ColumnType::Key`].
    Integer(i64),
    /// Of a column of [`ColumnType::Real`].
    Real(f64),
    /// Of a column of [`ColumnType::Text`].
    Text(String),
    /// Of a column of [`ColumnType::Bytes`] or [`ColumnType::FixedBytes`].
    Bytes(Vec<u8>),
    /// Of a column of [`ColumnType::Codes`].
    Codes(Vec<u16>),
}

impl Cell {
    /// A number with some digits after the point.
    pub(crate) fn rounded(number: f64, digits: usize) -> Cell {
        Cell::Text(format!("{number:.digits$}"))
    }

    /// Words with something between them.
    pub(crate) fn joined(words: impl IntoIterator<Item = impl ToString>, between: &str) -> Cell {
        let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        Cell::Text(words.join(between))
    }

    /// It as text, which is empty if there is none; bytes are hexadecimal digits, and the numbers of a list have blanks
    /// between.
    pub(crate) fn into_text(self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
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

/// Writes a table, whose columns it knows.
pub trait RowWriter {
    /// Takes the rows of a game, each with a value for each column. They stay together in one file.
    ///
    /// # Errors
    /// They cannot be written.
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()>;

    /// Ends the table.
    ///
    /// # Errors
    /// It cannot be written.
    fn end(self: Box<Self>) -> io::Result<()>;
}
