//! A table without one of its columns.

use std::io;

use super::{Cell, RowWriter};

/// Writes rows without the cell of one column.
pub struct WithoutColumn<'a> {
    table: Box<dyn RowWriter + 'a>,
    place: usize,
}

impl<'a> WithoutColumn<'a> {
    /// Wraps a table that does not have the column.
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
