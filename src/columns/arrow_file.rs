//! Writes a table as an Arrow file: columns in their in-memory form, which programs can map and read without a copy.
//!
//! Rows are collected into batches of limited size, and each batch is written immediately, so the size of a file is not
//! limited by memory.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        BinaryBuilder, FixedSizeBinaryBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
        UInt16Builder,
    },
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::{Cell, Column, ColumnType, RowWriter};

/// The number of rows and bytes after which a batch is written.
const BATCH_ROWS: usize = 1 << 16;
const BATCH_BYTES: usize = 8 << 20;

/// An Arrow file being written.
pub struct ArrowFile<'a> {
    file: FileWriter<&'a mut dyn Write>,
    schema: SchemaRef,
    columns: Vec<Gathered>,
    rows: usize,
    bytes: usize,
}

impl<'a> ArrowFile<'a> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<ArrowFile<'a>> {
        let fields: Vec<Field> =
            columns.iter().map(|column| Field::new(column.name, data_type(column.holds), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let file = FileWriter::try_new(out, &schema).map_err(error)?;
        let columns = columns.iter().map(|column| Gathered::new(column.holds)).collect();
        Ok(ArrowFile { file, schema, columns, rows: 0, bytes: 0 })
    }

    /// Writes the collected rows.
    fn write_batch(&mut self) -> io::Result<()> {
        let columns: Vec<ArrayRef> = self.columns.iter_mut().map(Gathered::finish).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(error)?;
        (self.rows, self.bytes) = (0, 0);
        self.file.write(&batch).map_err(error)
    }
}

impl RowWriter for ArrowFile<'_> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        for row in rows {
            for (column, cell) in self.columns.iter_mut().zip(row) {
                self.bytes += column.push(cell);
            }
            self.rows += 1;
            if self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        if self.rows > 0 {
            self.write_batch()?;
        }
        self.file.finish().map_err(error)?;
        self.file.get_mut().flush()
    }
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

/// Converts an Arrow error to an I/O error, which it nearly always is.
fn error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
