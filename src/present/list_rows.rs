//! The rows of a table in the list formats.

use std::io::{self, Write};

use crate::{
    columns::{Cell, Column, RowWriter},
    present::list::{CellRow, Head, HeadColumn, ListFormat, ListOptions, ListWriter},
};

/// A table that is written as a list. Bytes are written as hexadecimal digits.
pub struct ListRows<'a> {
    names: Vec<&'static str>,
    list: Box<dyn ListWriter + 'a>,
}

impl<'a> ListRows<'a> {
    /// Begins a list with these columns.
    pub fn new(out: &'a mut dyn Write, columns: &[Column], format: &'a dyn ListFormat) -> ListRows<'a> {
        let head = columns.iter().map(|column| HeadColumn::new(column.name, column.holds));
        let list = format.begin(out, Head::new(head.collect()), ListOptions::default());
        ListRows { names: columns.iter().map(|column| column.name).collect(), list }
    }
}

impl RowWriter for ListRows<'_> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        rows.into_iter().try_for_each(|cells| self.list.row(&CellRow { names: &self.names, cells }))
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.list.end()
    }
}
