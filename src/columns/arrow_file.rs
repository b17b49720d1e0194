//! Writes a table as an Arrow file: columns in their in-memory form, which programs can map and read without a copy.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::{
    Cell, Column, RowWriter,
    batch::{Batch, schema},
};

/// The number of bytes after which a batch is written.
const BATCH_BYTES: usize = 8 << 20;

/// An Arrow file being written.
pub struct ArrowFile<'a> {
    file: FileWriter<&'a mut dyn Write>,
    schema: SchemaRef,
    batch: Batch,
}

impl<'a> ArrowFile<'a> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<ArrowFile<'a>> {
        let schema = schema(columns);
        let file = FileWriter::try_new(out, &schema).map_err(error)?;
        Ok(ArrowFile { file, schema, batch: Batch::new(columns, BATCH_BYTES) })
    }

    /// Writes the collected rows, if there are any.
    fn write_batch(&mut self) -> io::Result<()> {
        let Some(columns) = self.batch.take() else { return Ok(()) };
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(error)?;
        self.file.write(&batch).map_err(error)
    }
}

impl RowWriter for ArrowFile<'_> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        for row in rows {
            if self.batch.push(row) {
                self.write_batch()?;
            }
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.write_batch()?;
        self.file.finish().map_err(error)?;
        self.file.get_mut().flush()
    }
}

/// Converts an Arrow error to an I/O error, which it nearly always is.
fn error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
