//! Writes a table as a Parquet file.
//!
//! Rows are collected into row groups of limited size. While a group is collected, the previous one is compressed with
//! zstd on all cores and then written, so the size of a file is not limited by memory.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel},
    },
    time::Duration,
};

use arrow_schema::SchemaRef;
use parquet::{
    arrow::{
        ArrowSchemaConverter,
        arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves},
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
};
use rayon::prelude::*;

use super::{
    Cell, Column, ColumnType, RowWriter,
    batch::{BATCH_ROWS, Batch, schema},
};

// Some 27,000 games in the default columns: large groups would leave more to compress after the last row, and let queries
// skip less.
/// The number of bytes after which a group is written.
const GROUP_BYTES: usize = 6 << 20;

// Must be short: the thread that waits may be the only one of the pool, and then the group is compressed only when it
// yields.
/// How long to wait before looking for other work.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The compressed columns of a group.
type Group = Result<Vec<ArrowColumnChunk>, ParquetError>;

/// A Parquet file being written.
pub struct ParquetFile<'a> {
    out: &'a mut dyn Write,
    /// Its buffer is written out and cleared after every group; the writer itself counts the bytes written.
    file: SerializedFileWriter<Vec<u8>>,
    schema: SchemaRef,
    /// Makes the writers of the columns of a group.
    groups: ArrowRowGroupWriterFactory,
    batch: Batch,
    /// The group that is being compressed.
    under_way: Option<Receiver<Group>>,
}

impl<'a> ParquetFile<'a> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The columns do not form a schema.
    pub fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<ParquetFile<'a>> {
        let schema = schema(columns);
        let converter = ArrowSchemaConverter::new().schema_root("plybook");
        let root = converter.convert(&schema).map_err(error)?.root_schema_ptr();
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("plybook ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        for column in columns.iter().filter(|column| column.holds == ColumnType::Key) {
            // The default is sized for a million distinct values, but a group has at most this many rows.
            properties = properties
                .set_column_bloom_filter_enabled(column.name.into(), true)
                .set_column_bloom_filter_max_ndv(column.name.into(), BATCH_ROWS as u64);
        }
        let file =
            SerializedFileWriter::new(Vec::new(), root, Arc::new(properties.build())).map_err(error)?;
        let groups = ArrowRowGroupWriterFactory::new(&file, schema.clone());
        Ok(ParquetFile {
            out,
            file,
            schema,
            groups,
            batch: Batch::new(columns, GROUP_BYTES),
            under_way: None,
        })
    }

    /// Starts compressing the collected rows, if there are any, after the previous group has been written.
    fn pack_group(&mut self) -> io::Result<()> {
        self.write_group()?;
        let Some(columns) = self.batch.take() else { return Ok(()) };
        let writers =
            self.groups.create_column_writers(self.file.flushed_row_groups().len()).map_err(error)?;
        let fields = self.schema.fields().iter().cloned();
        let columns: Vec<_> = fields.zip(columns).zip(writers).collect();
        // One group is compressed while the next one is collected; a longer queue would only take more memory.
        let (done, packed) = channel();
        rayon::spawn(move || {
            let packed = columns.into_par_iter().map(|((field, values), mut writer)| {
                // No column has several leaves.
                compute_leaves(&field, &values)?.iter().try_for_each(|leaf| writer.write(leaf))?;
                writer.close()
            });
            drop(done.send(packed.collect()));
        });
        self.under_way = Some(packed);
        Ok(())
    }

    /// Writes the group that is being compressed, if any.
    fn write_group(&mut self) -> io::Result<()> {
        let Some(packed) = self.under_way.take() else { return Ok(()) };
        let packed =
            wait(&packed).ok_or_else(|| io::Error::other("the thread that compresses rows has stopped"))?;
        let mut group = self.file.next_row_group().map_err(error)?;
        for column in packed.map_err(error)? {
            column.append_to_row_group(&mut group).map_err(error)?;
        }
        group.close().map_err(error)?;
        self.hand_on()
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.out.write_all(self.file.inner())?;
        self.file.inner_mut().clear();
        Ok(())
    }
}

impl RowWriter for ParquetFile<'_> {
    fn game(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<()> {
        for row in rows {
            if self.batch.push(row) {
                self.pack_group()?;
            }
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.pack_group()?;
        self.write_group()?;
        self.file.finish().map_err(error)?;
        self.hand_on()?;
        self.out.flush()
    }
}

/// Waits for a result. A thread of the pool helps with other work in the meantime.
//
// A plain `recv` would deadlock on a pool of one thread: the job that compresses the group could never start.
fn wait<T>(coming: &Receiver<T>) -> Option<T> {
    loop {
        match coming.try_recv() {
            Ok(come) => return Some(come),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(rayon::Yield::Executed) => {}
            Err(TryRecvError::Empty) => match coming.recv_timeout(POLL_INTERVAL) {
                Ok(come) => return Some(come),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            },
        }
    }
}

/// Converts a Parquet error to an I/O error, which it nearly always is.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
