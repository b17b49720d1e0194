//! The rows of a table collected in columns, as Arrow defines them.

use std::sync::Arc;

use arrow_array::{
    ArrayRef,
    builder::{
        BinaryBuilder, FixedSizeBinaryBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
        UInt16Builder,
    },
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{Cell, Column, ColumnType};

/// The number of rows after which they are written.
pub(super) const BATCH_ROWS: usize = 1 << 16;

/// Rows that are collected until they are written together, so the size of a file is not limited by memory.
pub(super) struct Batch {
    columns: Vec<Gathered>,
    rows: usize,
    bytes: usize,
    /// The number of bytes after which they are written.
    most_bytes: usize,
}

impl Batch {
    /// Starts without rows.
    pub(super) fn new(columns: &[Column], most_bytes: usize) -> Batch {
        let columns = columns.iter().map(|column| Gathered::new(column.holds)).collect();
        Batch { columns, rows: 0, bytes: 0, most_bytes }
    }

    /// Adds a row. Returns whether it is time to take them.
    pub(super) fn push(&mut self, row: Vec<Cell>) -> bool {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.bytes += column.push(cell);
        }
        self.rows += 1;
        self.rows >= BATCH_ROWS || self.bytes >= self.most_bytes
    }

    /// Takes the rows, if there are any.
    pub(super) fn take(&mut self) -> Option<Vec<ArrayRef>> {
        if self.rows == 0 {
            return None;
        }
        (self.rows, self.bytes) = (0, 0);
        Some(self.columns.iter_mut().map(Gathered::finish).collect())
    }
}

/// The schema of a table.
pub(super) fn schema(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| Field::new(column.name, data_type(column.holds), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

fn data_type(holds: ColumnType) -> DataType {
    match holds {
        ColumnType::Integer | ColumnType::Key => DataType::Int64,
        ColumnType::Real => DataType::Float64,
        ColumnType::Text => DataType::Utf8,
        ColumnType::Bytes => DataType::Binary,
        ColumnType::FixedBytes(bytes) => DataType::FixedSizeBinary(bytes.into()),
        ColumnType::Codes => DataType::List(Arc::new(element())),
    }
}

/// The elements of a list, which are never null.
fn element() -> Field {
    Field::new("element", DataType::UInt16, false)
}

/// The values of a column in a batch.
enum Gathered {
    Integers(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
    Bytes(BinaryBuilder),
    FixedBytes(FixedSizeBinaryBuilder),
    Codes(ListBuilder<UInt16Builder>),
}

impl Gathered {
    fn new(holds: ColumnType) -> Gathered {
        match holds {
            ColumnType::Integer | ColumnType::Key => Gathered::Integers(Int64Builder::new()),
            ColumnType::Real => Gathered::Reals(Float64Builder::new()),
            ColumnType::Text => Gathered::Texts(StringBuilder::new()),
            ColumnType::Bytes => Gathered::Bytes(BinaryBuilder::new()),
            ColumnType::FixedBytes(bytes) => Gathered::FixedBytes(FixedSizeBinaryBuilder::new(bytes.into())),
            ColumnType::Codes => {
                Gathered::Codes(ListBuilder::new(UInt16Builder::new()).with_field(element()))
            }
        }
    }

    /// Adds a value; a value of the wrong type becomes null. Returns its approximate size.
    fn push(&mut self, cell: Cell) -> usize {
        match self {
            Gathered::Integers(column) => {
                column.append_option(if let Cell::Integer(number) = cell { Some(number) } else { None });
                8
            }
            Gathered::Reals(column) => {
                column.append_option(if let Cell::Real(number) = cell { Some(number) } else { None });
                8
            }
            Gathered::Texts(column) => {
                let text = if let Cell::Text(text) = cell { Some(text) } else { None };
                column.append_option(text.as_deref());
                4 + text.map_or(0, |text| text.len())
            }
            Gathered::Bytes(column) => {
                let bytes = if let Cell::Bytes(bytes) = cell { Some(bytes) } else { None };
                column.append_option(bytes.as_deref());
                4 + bytes.map_or(0, |bytes| bytes.len())
            }
            Gathered::FixedBytes(column) => {
                if !matches!(&cell, Cell::Bytes(bytes) if column.append_value(bytes).is_ok()) {
                    column.append_null();
                }
                64
            }
            Gathered::Codes(column) => {
                let codes = if let Cell::Codes(codes) = cell { Some(codes) } else { None };
                column.values().append_slice(codes.as_deref().unwrap_or_default());
                column.append(codes.is_some());
                4 + 2 * codes.map_or(0, |codes| codes.len())
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Gathered::Integers(column) => Arc::new(column.finish()),
            Gathered::Reals(column) => Arc::new(column.finish()),
            Gathered::Texts(column) => Arc::new(column.finish()),
            Gathered::Bytes(column) => Arc::new(column.finish()),
            Gathered::FixedBytes(column) => Arc::new(column.finish()),
            Gathered::Codes(column) => Arc::new(column.finish()),
        }
    }
}
