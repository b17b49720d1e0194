//! The rows that a statement of SQL gives, as a list.

use std::io::{self, Write};

use serde_json::{Map, Value};

use super::list::{AnyRow, Head, HeadColumn, ListFormat, ListOptions, TABLE, number, text};
use crate::archive::{SqlArchive, SqlError, SqlRows, SqlValue};

/// Runs statements of SQL and writes the rows of each as a list of its own. Gives the number of rows.
///
/// # Errors
/// A statement cannot be run, or the rows cannot be written.
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
    // What numbers are the first row says.
    let is_number = |place: usize| {
        let value = next.as_ref().and_then(|values| values.get(place));
        matches!(value, Some(SqlValue::Integer(_) | SqlValue::Real(_)))
    };
    let columns: Vec<HeadColumn<'_>> = (0..)
        .zip(&names)
        .map(|(place, name)| if is_number(place) { number(name) } else { text(name) })
        .collect();
    let mut list = format.begin(out, Head { one_line: true, ..Head::new(&columns) }, options);
    let mut count = 0;
    while let Some(values) = next {
        // A board has eight lines, and stands under each other only where people look at it.
        let parts = if format.name() == TABLE.name() { lines(values) } else { vec![values] };
        for values in parts {
            list.row(&SqlRow { names: &names, values })?;
        }
        count += 1;
        next = rows.next_row()?;
    }
    list.end()?;
    Ok(count)
}

/// A row as several, a line of its texts each.
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

struct SqlRow<'a> {
    names: &'a [String],
    values: Vec<SqlValue>,
}

impl SqlRow<'_> {
    fn json(&self) -> io::Result<Map<String, Value>> {
        let values = self.values.iter().map(serde_json::to_value);
        let pairs = self.names.iter().zip(values);
        pairs.map(|(name, value)| Ok((name.clone(), value?))).collect()
    }
}

impl AnyRow for SqlRow<'_> {
    /// `NULL` is empty.
    fn cells(&self) -> Vec<String> {
        let cell = |value: &SqlValue| match value {
            SqlValue::Null => String::new(),
            SqlValue::Integer(number) => number.to_string(),
            SqlValue::Real(number) => number.to_string(),
            SqlValue::Text(text) | SqlValue::Blob(text) => text.clone(),
        };
        self.values.iter().map(cell).collect()
    }

    fn shown_cells(&self) -> Vec<String> {
        self.cells()
    }

    fn json_line(&self, out: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, &self.json()?)?)
    }

    fn json_lines(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(&self.json()?)?)
    }
}
