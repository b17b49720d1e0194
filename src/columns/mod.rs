//! Tables in columns: what programs that analyse data read in place of an archive.
//!
//! A table comes game by game, with a row or more for each; a [`RowWriter`] writes it. This folder knows how files of columns look, not what stands in
//! them. `docs/columns.md` has the columns of each table.

#[cfg(feature = "columns")]
mod arrow_file;
#[cfg(feature = "columns")]
mod parquet_file;
mod shards;
mod without;

use std::io;

#[cfg(feature = "columns")]
pub use arrow_file::ArrowFile;
#[cfg(feature = "columns")]
pub use parquet_file::ParquetFile;
pub use shards::Shards;
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
    /// A text that may be missing.
    pub fn text(text: Option<String>) -> Cell {
        text.map_or(Cell::Null, Cell::Text)
    }

    /// A number that may be missing.
    pub fn integer(number: Option<i64>) -> Cell {
        number.map_or(Cell::Null, Cell::Integer)
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
