//! Columns of a row type, for lists in text, lists for programs and tables in columns.

use super::{Cell, ColumnType};

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
