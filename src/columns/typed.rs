//! The columns of rows of one type: lists for people, lists for programs and tables in columns are made of them.

use super::{Cell, ColumnType};

/// A column of rows of a type.
#[derive(Debug)]
pub struct ColumnOf<R> {
    /// Its name.
    pub name: &'static str,
    /// What stands in it.
    pub holds: ColumnType,
    /// What becomes of it where a table is wider than the terminal.
    pub fit: Fit,
    /// Its value in a row.
    pub get: fn(&R) -> Cell,
}

impl<R> Clone for ColumnOf<R> {
    fn clone(&self) -> ColumnOf<R> {
        *self
    }
}

impl<R> Copy for ColumnOf<R> {}

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

/// A column of text.
pub(crate) const fn text<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Cut, get }
}

/// A column of short words, such as dates and results: cut, they would say something else.
pub(crate) const fn word<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Whole, get }
}

/// A column of text that a reader misses least.
pub(crate) const fn spare<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Text, fit: Fit::Spare, get }
}

/// A column of numbers; where they are written in a way of their own, its values are texts.
pub(crate) const fn number<R>(name: &'static str, get: fn(&R) -> Cell) -> ColumnOf<R> {
    ColumnOf { name, holds: ColumnType::Integer, fit: Fit::Whole, get }
}

/// Columns after others; `N` is how many they are together.
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
