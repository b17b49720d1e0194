//! Rows whose columns are known only at run time: the tables of exports, and the results of SQL statements.

use std::io::{self, Write};

use serde_json::{Map, Value};

use super::list::{AnyRow, Head, HeadColumn, ListFormat, ListOptions, ListWriter, TABLE, write_json};
use crate::{
    archive::{SqlArchive, SqlError, SqlRows, SqlValue},
    columns::{Cell, Column, ColumnType, RowWriter},
};

/// A row whose columns are known only at run time.
struct CellRow<'a> {
    /// The names of the columns.
    names: &'a [&'a str],
    /// A value for each.
    cells: Vec<Cell>,
}

impl AnyRow for CellRow<'_> {
    fn cells(&self) -> Vec<String> {
        self.cells.iter().cloned().map(Cell::into_text).collect()
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        let value = |cell: &Cell| match cell {
            Cell::Null => Value::Null,
            Cell::Integer(number) => (*number).into(),
            Cell::Real(number) => (*number).into(),
            Cell::Codes(codes) => codes.as_slice().into(),
            Cell::Text(_) | Cell::Bytes(_) => cell.clone().into_text().into(),
        };
        let fields = self.names.iter().zip(&self.cells).map(|(name, cell)| ((*name).to_owned(), value(cell)));
        write_json(&fields.collect::<Map<_, _>>(), out, indented)
    }
}

/// A table that is written as a list. Bytes are written as hexadecimal digits.
pub struct ListRows<'a> {
    names: Vec<&'static str>,
    list: Box<dyn ListWriter + 'a>,
}

impl<'a> ListRows<'a> {
    /// Begins a list with these columns.
    pub fn new(out: &'a mut dyn Write, columns: &[Column], format: &ListFormat) -> ListRows<'a> {
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

/// Runs SQL statements and writes the rows of each as a separate list. Returns the number of rows.
///
/// # Errors
/// A statement fails, or the rows cannot be written.
pub fn write_sql(
    archive: &mut SqlArchive,
    statements: &str,
    parameters: &[(String, SqlValue)],
    format: &ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, SqlError> {
    let mut count = 0;
    archive.run(statements, parameters, &mut |rows| {
        count += write_rows(rows, format, options, out)?;
        Ok(())
    })?;
    Ok(count)
}

fn write_rows(
    mut rows: SqlRows<'_, '_>,
    format: &ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, SqlError> {
    let names = rows.columns.to_vec();
    let mut next = rows.next_row()?;
    // The first row decides which columns are numbers.
    let is_number = |place: usize| {
        let value = next.as_ref().and_then(|values| values.get(place));
        matches!(value, Some(SqlValue::Integer(_) | SqlValue::Real(_)))
    };
    let holds = |place| if is_number(place) { ColumnType::Real } else { ColumnType::Text };
    let columns = (0..).zip(&names).map(|(place, name)| HeadColumn::new(name, holds(place))).collect();
    let mut list = format.begin(out, Head::new(columns), options);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut count = 0;
    while let Some(values) = next {
        // The eight lines of a board are printed below each other only in the text table.
        let parts = if format.name == TABLE.name { lines(values) } else { vec![values] };
        for values in parts {
            let cells = values.into_iter().map(cell).collect();
            list.row(&CellRow { names: &names, cells })?;
        }
        count += 1;
        next = rows.next_row()?;
    }
    list.end()?;
    Ok(count)
}

/// A row as several, one for each line of its texts.
fn lines(values: Vec<SqlValue>) -> Vec<Vec<SqlValue>> {
    let count = |value: &SqlValue| match value {
        SqlValue::Text(text) => text.lines().count(),
        _ => 1,
    };
    let most = values.iter().map(count).max().unwrap_or(1);
    if most <= 1 {
        return vec![values];
    }
    let line = |value: &SqlValue, number: usize| match value {
        SqlValue::Text(text) => {
            text.lines().nth(number).map_or(SqlValue::Null, |line| SqlValue::Text(line.to_owned()))
        }
        value if number == 0 => value.clone(),
        _ => SqlValue::Null,
    };
    (0..most).map(|number| values.iter().map(|value| line(value, number)).collect()).collect()
}

fn cell(value: SqlValue) -> Cell {
    match value {
        SqlValue::Null => Cell::Null,
        SqlValue::Integer(number) => Cell::Integer(number),
        SqlValue::Real(number) => Cell::Real(number),
        SqlValue::Text(text) | SqlValue::Blob(text) => Cell::Text(text),
    }
}
