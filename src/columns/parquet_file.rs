//! A table as a Parquet file.
//!
//! Rows are gathered into groups of bounded size; each group is packed with zstd and handed on, so that a file may be as
//! large as it likes.

use std::{
    io::{self, Write},
    sync::Arc,
};

use parquet::{
    basic::{Compression, ZstdLevel},
    data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};

use super::{Cell, Column, ColumnType, RowWriter};

/// Rows and bytes after which a group is written.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 16 << 20;

/// What a text or a string of bytes takes in memory besides its bytes.
const TEXT_BYTES: usize = 40;

/// A Parquet file that is being written.
pub struct ParquetFile<'a> {
    out: &'a mut dyn Write,
    /// Its buffer is handed on and emptied after every group; the file itself counts what it has written.
    file: SerializedFileWriter<Vec<u8>>,
    chunks: Vec<Chunk>,
    rows: usize,
    bytes: usize,
}

impl<'a> ParquetFile<'a> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// They have no schema: two of them have one name, or a name is none.
    pub fn new(out: &'a mut dyn Write, columns: &[Column]) -> io::Result<ParquetFile<'a>> {
        let schema = parse_message_type(&schema(columns)).map_err(error)?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("plybook ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        let file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()));
        let chunks = columns.iter().map(|column| Chunk::new(column.holds)).collect();
        Ok(ParquetFile { out, file: file.map_err(error)?, chunks, rows: 0, bytes: 0 })
    }

    /// Writes the rows that have been gathered.
    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(error)?;
        for chunk in &mut self.chunks {
            let Some(mut column) = group.next_column().map_err(error)? else { break };
            let (present, starts) = (Some(&chunk.present[..]), chunk.starts.as_deref());
            match &chunk.values {
                Values::Integers(values) => column.typed::<Int64Type>().write_batch(values, present, starts),
                Values::Reals(values) => column.typed::<DoubleType>().write_batch(values, present, starts),
                Values::Texts(values) => column.typed::<ByteArrayType>().write_batch(values, present, starts),
                Values::Codes(values) => column.typed::<Int32Type>().write_batch(values, present, starts),
            }
            .map_err(error)?;
            column.close().map_err(error)?;
            chunk.clear();
        }
        group.close().map_err(error)?;
        (self.rows, self.bytes) = (0, 0);
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
    fn row(&mut self, row: Vec<Cell>) -> io::Result<()> {
        for (chunk, cell) in self.chunks.iter_mut().zip(row) {
            self.bytes += chunk.push(cell);
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES { self.write_group() } else { Ok(()) }
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.file.finish().map_err(error)?;
        self.hand_on()?;
        self.out.flush()
    }
}

/// The columns in the language of Parquet.
fn schema(columns: &[Column]) -> String {
    let mut text = "message plybook {\n".to_owned();
    for Column { name, holds } in columns {
        text += &match holds {
            ColumnType::Integer => format!("optional int64 {name};\n"),
            ColumnType::Real => format!("optional double {name};\n"),
            ColumnType::Text => format!("optional binary {name} (STRING);\n"),
            ColumnType::Bytes => format!("optional binary {name};\n"),
            ColumnType::Codes => format!(
                "optional group {name} (LIST) {{ repeated group list {{ required int32 element (INTEGER(16,false)); }} }}\n"
            ),
        };
    }
    text + "}"
}

/// The values of a column in a group, those that are missing left out.
enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<ByteArray>),
    Codes(Vec<i32>),
}

/// A column of a group.
struct Chunk {
    values: Values,
    /// For each row 1 if its value is there; for each number of a list 2, for an empty list 1.
    present: Vec<i16>,
    /// For lists: 0 where one begins, else 1.
    starts: Option<Vec<i16>>,
}

impl Chunk {
    fn new(holds: ColumnType) -> Chunk {
        let values = match holds {
            ColumnType::Integer => Values::Integers(Vec::new()),
            ColumnType::Real => Values::Reals(Vec::new()),
            ColumnType::Text | ColumnType::Bytes => Values::Texts(Vec::new()),
            ColumnType::Codes => Values::Codes(Vec::new()),
        };
        Chunk { values, present: Vec::new(), starts: (holds == ColumnType::Codes).then(Vec::new) }
    }

    /// Adds a value; one of another type than the column's is missing. Gives about how many bytes it takes.
    fn push(&mut self, cell: Cell) -> usize {
        if let (Values::Codes(values), Cell::Codes(codes)) = (&mut self.values, &cell) {
            self.present
                .extend(std::iter::repeat_n(if codes.is_empty() { 1 } else { 2 }, codes.len().max(1)));
            if let Some(starts) = &mut self.starts {
                starts.push(0);
                starts.extend(std::iter::repeat_n(1, codes.len().saturating_sub(1)));
            }
            values.extend(codes.iter().copied().map(i32::from));
            return 8 * codes.len() + 4;
        }
        let (is_there, bytes) = match (&mut self.values, cell) {
            (Values::Integers(values), Cell::Integer(number)) => (added(values, number), 10),
            (Values::Reals(values), Cell::Real(number)) => (added(values, number), 10),
            (Values::Texts(values), Cell::Text(text)) => {
                let bytes = text.len() + TEXT_BYTES;
                (added(values, text.into_bytes().into()), bytes)
            }
            (Values::Texts(values), Cell::Bytes(text)) => {
                let bytes = text.len() + TEXT_BYTES;
                (added(values, text.into()), bytes)
            }
            _ => (false, 2),
        };
        self.present.push(i16::from(is_there));
        self.starts.iter_mut().for_each(|starts| starts.push(0));
        bytes
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Integers(values) => values.clear(),
            Values::Reals(values) => values.clear(),
            Values::Texts(values) => values.clear(),
            Values::Codes(values) => values.clear(),
        }
        self.present.clear();
        self.starts.iter_mut().for_each(Vec::clear);
    }
}

fn added<T>(values: &mut Vec<T>, value: T) -> bool {
    values.push(value);
    true
}

/// An error of Parquet as one of writing, which it nearly always is.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
