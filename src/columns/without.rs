//! A table without one of its columns.

use std::io;

use super::{Cell, RowWriter};

/// Hands on the rows of a table without the cell in one place.
pub struct WithoutColumn<'a> {
    table: Box<dyn RowWriter + 'a>,
    place: usize,
}

impl<'a> WithoutColumn<'a> {
    /// Of rows that have the column the rest is written to a table that has not.
    pub fn new(table: Box<dyn RowWriter + 'a>, place: usize) -> WithoutColumn<'a> {
        WithoutColumn { table, place }
    }
}

impl RowWriter for WithoutColumn<'_> {
    fn game(&mut self, mut rows: Vec<Vec<Cell>>) -> io::Result<()> {
        for row in rows.iter_mut().filter(|row| self.place < row.len()) {
            row.remove(self.place);
        }
        self.table.game(rows)
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.table.end()
    }
}
