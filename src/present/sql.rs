//! The rows of SQL statements, as lists.

use std::io::Write;

use super::list::{CellRow, Head, HeadColumn, ListFormat, ListOptions, TABLE};
use crate::{
    archive::{SqlArchive, SqlError, SqlRows, SqlValue},
    columns::{Cell, ColumnType},
};

/// Runs SQL statements and writes the rows of each as a separate list. Returns the number of rows.
///
/// # Errors
/// A statement fails, or the rows cannot be written.
pub fn write_sql(
    archive: &mut SqlArchive,
    statements: &str,
    parameters: &[(String, SqlValue)],
    format: &dyn ListFormat,
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
    format: &dyn ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, SqlError> {
    let names = rows.columns().to_vec();
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
        let parts = if format.name() == TABLE.name() { lines(values) } else { vec![values] };
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
