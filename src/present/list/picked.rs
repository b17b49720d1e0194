//! A list with a selection of its columns, in any order.

use std::io::{self, Write};

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use super::{AnyRow, Head, HeadColumn, ListFormat, ListOptions, ListWriter, write_json};

/// A list format that writes only selected columns. JSON objects have only the fields of these names.
#[derive(Debug)]
pub(crate) struct Picked {
    format: &'static dyn ListFormat,
    columns: Vec<HeadColumn<'static>>,
    /// The indices of the selected columns.
    places: Vec<usize>,
}

/// An unknown column name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a column of this list; its columns are {known}")]
pub(crate) struct UnknownColumn {
    name: String,
    known: String,
}

impl Picked {
    /// A selection of the machine-readable columns of a list.
    ///
    /// # Errors
    /// The list has no column of this name.
    pub(crate) fn new(
        format: &'static dyn ListFormat,
        head: &Head<'static>,
        names: &[String],
    ) -> Result<Picked, UnknownColumn> {
        let (mut columns, mut places) = (Vec::new(), Vec::new());
        for name in names {
            let place = head.columns.iter().position(|column| column.name == name);
            let found = place.and_then(|place| Some((place, *head.columns.get(place)?)));
            let (place, column) = found.ok_or_else(|| UnknownColumn {
                name: name.clone(),
                known: head.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", "),
            })?;
            columns.push(column);
            places.push(place);
        }
        Ok(Picked { format, columns, places })
    }
}

impl ListFormat for Picked {
    fn name(&self) -> &'static str {
        self.format.name()
    }

    fn about(&self) -> &'static str {
        self.format.about()
    }

    fn begin<'a>(
        &'a self,
        out: &'a mut dyn Write,
        head: Head<'a>,
        options: ListOptions,
    ) -> Box<dyn ListWriter + 'a> {
        let head = Head { columns: self.columns.clone(), shown: self.columns.clone(), ..head };
        Box::new(PickedRows { picked: self, list: self.format.begin(out, head, options) })
    }
}

struct PickedRows<'a> {
    picked: &'a Picked,
    list: Box<dyn ListWriter + 'a>,
}

impl ListWriter for PickedRows<'_> {
    fn row(&mut self, row: &dyn AnyRow) -> io::Result<()> {
        self.list.row(&PickedRow { picked: self.picked, row })
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        self.list.end()
    }
}

struct PickedRow<'a> {
    picked: &'a Picked,
    row: &'a dyn AnyRow,
}

impl PickedRow<'_> {
    fn fields(&self) -> io::Result<Fields<'_>> {
        let mut text = Vec::new();
        self.row.write_json(&mut text, false)?;
        Ok(Fields { picked: self.picked, all: serde_json::from_slice(&text)? })
    }
}

impl AnyRow for PickedRow<'_> {
    fn cells(&self) -> Vec<String> {
        let cells = self.row.cells();
        let cell = |place: &usize| cells.get(*place).cloned().unwrap_or_default();
        self.picked.places.iter().map(cell).collect()
    }

    fn write_json(&self, out: &mut dyn Write, indented: bool) -> io::Result<()> {
        write_json(&self.fields()?, out, indented)
    }
}

/// The fields of an object that are named like selected columns.
struct Fields<'a> {
    picked: &'a Picked,
    all: Map<String, Value>,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.picked.columns.len()))?;
        for column in &self.picked.columns {
            map.serialize_entry(column.name, self.all.get(column.name).unwrap_or(&Value::Null))?;
        }
        map.end()
    }
}
