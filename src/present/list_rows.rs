//! The rows of a table in the formats of lists.

use std::io::{self, Write};

use data_encoding::HEXLOWER;
use serde_json::{Map, Value};

use crate::{
    columns::{Cell, Column, ColumnType, RowWriter},
    present::list::{AnyRow, Head, HeadColumn, ListFormat, ListOptions, ListWriter, number, text},
};

/// A table that is written as a list. Bytes are written as hexadecimal digits.
pub struct ListRows<'a> {
    columns: &'a [Column],
    list: Box<dyn ListWriter + 'a>,
}

impl<'a> ListRows<'a> {
    /// What stands above the columns.
    pub fn head(columns: &[Column]) -> Vec<HeadColumn<'static>> {
        let head = |column: &Column| match column.holds {
            ColumnType::Integer | ColumnType::Key | ColumnType::Real => number(column.name),
            ColumnType::Text | ColumnType::Bytes | ColumnType::FixedBytes(_) | ColumnType::Codes => {
                text(column.name)
            }
        };
        columns.iter().map(head).collect()
    }

    /// Begins a list with these columns and their [`head`](ListRows::head).
    pub fn new(
        out: &'a mut dyn Write,
        columns: &'a [Column],
        head: &'a [HeadColumn<'a>],
        format: &'a dyn ListFormat,
    ) -> ListRows<'a> {
        let head = Head { one_line: true, ..Head::new(head) };
        ListRows { columns, list: format.begin(out, head, ListOptions::default()) }
    }
}

impl RowWriter for ListRows<'_> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        rows.into_iter().try_for_each(|cells| self.list.row(&TableRow { columns: self.columns, cells }))
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.list.end()
    }
}

struct TableRow<'a> {
    columns: &'a [Column],
    cells: Vec<Cell>,
}

impl TableRow<'_> {
    fn json(&self) -> Map<String, Value> {
        let value = |cell: &Cell| match cell {
            Cell::Null => Value::Null,
            Cell::Integer(number) => (*number).into(),
            Cell::Real(number) => (*number).into(),
            Cell::Text(text) => text.as_str().into(),
            Cell::Bytes(bytes) => HEXLOWER.encode(bytes).into(),
            Cell::Codes(codes) => codes.as_slice().into(),
        };
        self.columns
            .iter()
            .zip(&self.cells)
            .map(|(column, cell)| (column.name.to_owned(), value(cell)))
            .collect()
    }
}

impl AnyRow for TableRow<'_> {
    /// What is missing is empty; the numbers of a list have blanks between.
    fn cells(&self) -> Vec<String> {
        let cell = |cell: &Cell| match cell {
            Cell::Null => String::new(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Bytes(bytes) => HEXLOWER.encode(bytes),
            Cell::Codes(codes) => codes.iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        };
        self.cells.iter().map(cell).collect()
    }

    fn shown_cells(&self) -> Vec<String> {
        self.cells()
    }

    fn json_line(&self, out: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, &self.json())?)
    }

    fn json_lines(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(&self.json())?)
    }
}
