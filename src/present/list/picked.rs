//! A list with a selection of its columns, in any order. JSON objects have only the fields of these names.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::{AnyRow, Head, HeadColumn, ListFormat, ListWriter, write_json};

/// An unknown column name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a column of this list; its columns are {known}")]
pub(crate) struct UnknownColumn {
    name: String,
    known: String,
}

impl ListFormat {
    /// The format limited to some of the machine-readable columns of a list, if any are given.
    ///
    /// # Errors
    /// The list has no column of this name.
    pub(crate) fn limited(&self, head: &Head<'_>, names: &[String]) -> Result<ListFormat, UnknownColumn> {
        let is_known = |name: &&String| head.columns.iter().any(|column| column.name == name.as_str());
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let known = head.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ");
            return Err(UnknownColumn { name: name.clone(), known });
        }
        Ok(ListFormat { columns: names.to_vec(), ..self.clone() })
    }
}

/// Begins a list with the named columns only.
pub(super) fn begin<'a>(
    names: &[String],
    head: Head<'a>,
    begin: impl FnOnce(Head<'a>) -> Box<dyn ListWriter + 'a>,
) -> Box<dyn ListWriter + 'a> {
    let place = |name: &String| head.columns.iter().position(|column| column.name == name);
    let places: Vec<usize> = names.iter().filter_map(place).collect();
    let columns: Vec<HeadColumn<'a>> = places.iter().map(|place| head.columns[*place]).collect();
    let list =
        begin(Head { columns: columns.clone(), shown: columns.clone(), page: columns.clone(), ..head });
    Box::new(PickedRows { columns, places, list })
}

struct PickedRows<'a> {
    columns: Vec<HeadColumn<'a>>,
    /// Their indices among all columns.
    places: Vec<usize>,
    list: Box<dyn ListWriter + 'a>,
}

impl ListWriter for PickedRows<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.list.row(&PickedRow { columns: &self.columns, places: &self.places, row })
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.list.end()
    }
}

struct PickedRow<'a> {
    columns: &'a [HeadColumn<'a>],
    places: &'a [usize],
    row: &'a dyn AnyRow,
}

impl AnyRow for PickedRow<'_> {
    fn cells(&self) -> Vec<String> {
        let cells = self.row.cells();
        self.places.iter().map(|place| cells.get(*place).cloned().unwrap_or_default()).collect()
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        let mut text = Vec::new();
        self.row.write_json(&mut text, false)?;
        let all: Map<String, Value> = serde_json::from_slice(&text)?;
        let field = |column: &HeadColumn<'_>| (column.name.to_owned(), all.get(column.name).cloned());
        write_json(&Fields(self.columns.iter().map(field).collect()), out, indented)
    }
}

/// The fields of an object in their order; a name may occur twice.
struct Fields(Vec<(String, Option<Value>)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
