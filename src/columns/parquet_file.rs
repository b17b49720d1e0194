//! Writes a table as a Parquet file.
//!
//! Rows are collected into row groups of limited size. While a group is collected, the previous one is compressed with
//! zstd on all cores and then written, so the size of a file is not limited by memory.

mod chunk;

use std::{
    io::{self, Write},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel},
    },
    time::Duration,
};

use parquet::{
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::{
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::ColumnDescPtr},
};
use rayon::prelude::*;

use self::chunk::{Chunk, PackedChunk};
use super::{Cell, Column, ColumnType, RowWriter};

/// The number of rows and bytes after which a group is written.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 16 << 20;

// Must be short: the thread that waits may be the only one of the pool, and then the group is compressed only when it
// yields.
/// How long to wait before looking for other work.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The compressed columns of a group.
type Group = Result<Vec<PackedChunk>, ParquetError>;

/// A Parquet file being written.
pub struct ParquetFile<'a> {
    out: &'a mut dyn Write,
    /// Its buffer is written out and cleared after every group; the writer itself counts the bytes written.
    file: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Column>,
    chunks: Vec<Chunk>,
    rows: usize,
    bytes: usize,
    /// The group that is being compressed.
    under_way: Option<Receiver<Group>>,
}

impl<'a> ParquetFile<'a> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The columns do not form a schema: two have the same name, or a name is empty.
    pub fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<ParquetFile<'a>> {
        let schema = parse_message_type(&schema(columns)).map_err(error)?;
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("plybook ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        for column in columns.iter().filter(|column| column.holds == ColumnType::Key) {
            // The default is sized for a million distinct values, but a group has at most this many rows.
            properties = properties
                .set_column_bloom_filter_enabled(column.name.into(), true)
                .set_column_bloom_filter_max_ndv(column.name.into(), GROUP_ROWS as u64);
        }
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()));
        Ok(ParquetFile {
            out,
            file: file.map_err(error)?,
            columns: columns.to_vec(),
            chunks: empty(columns),
            rows: 0,
            bytes: 0,
            under_way: None,
        })
    }

    /// Starts compressing the collected rows, after the previous group has been written.
    fn pack_group(&mut self) -> io::Result<()> {
        self.write_group()?;
        let chunks = std::mem::replace(&mut self.chunks, empty(&self.columns));
        (self.rows, self.bytes) = (0, 0);
        let columns = self.file.schema_descr().columns().to_vec();
        let properties = Arc::clone(self.file.properties());
        // One group is compressed while the next one is collected; a longer queue would only take more memory.
        let (done, packed) = channel();
        rayon::spawn(move || drop(done.send(pack(chunks, columns, &properties))));
        self.under_way = Some(packed);
        Ok(())
    }

    /// Writes the group that is being compressed, if any.
    fn write_group(&mut self) -> io::Result<()> {
        let Some(packed) = self.under_way.take() else { return Ok(()) };
        let packed =
            wait(&packed).ok_or_else(|| io::Error::other("the thread that compresses rows has stopped"))?;
        let mut group = self.file.next_row_group().map_err(error)?;
        for (bytes, column) in packed.map_err(error)? {
            group.append_column(&bytes, column).map_err(error)?;
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
            for (chunk, cell) in self.chunks.iter_mut().zip(row) {
                self.bytes += chunk.push(cell);
            }
            self.rows += 1;
            if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
                self.pack_group()?;
            }
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        if self.rows > 0 {
            self.pack_group()?;
        }
        self.write_group()?;
        self.file.finish().map_err(error)?;
        self.hand_on()?;
        self.out.flush()
    }
}

fn empty(columns: &[Column]) -> Vec<Chunk> {
    columns.iter().map(|column| Chunk::new(column.holds)).collect()
}

/// Compresses the columns of a group.
fn pack(chunks: Vec<Chunk>, columns: Vec<ColumnDescPtr>, properties: &WriterPropertiesPtr) -> Group {
    let columns = chunks.into_par_iter().zip(columns);
    columns.map(|(chunk, column)| chunk.pack(column, Arc::clone(properties))).collect()
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

/// The columns as a Parquet schema.
fn schema(columns: &[Column]) -> String {
    let mut text = "message plybook {\n".to_owned();
    for Column { name, holds } in columns {
        text += &match holds {
            ColumnType::Integer | ColumnType::Key => format!("optional int64 {name};\n"),
            ColumnType::Real => format!("optional double {name};\n"),
            ColumnType::Text => format!("optional binary {name} (STRING);\n"),
            ColumnType::Bytes => format!("optional binary {name};\n"),
            ColumnType::FixedBytes(bytes) => format!("optional fixed_len_byte_array({bytes}) {name};\n"),
            ColumnType::Codes => format!(
                "optional group {name} (LIST) {{ repeated group list {{ required int32 element (INTEGER(16,false)); }} }}\n"
            ),
        };
    }
    text + "}"
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
