//! A column of a row group: collects values in Parquet's layout, then compresses them.

use std::iter::repeat_n;

use bytes::Bytes;
use parquet::{
    column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer},
    data_type::{ByteArray, FixedLenByteArray},
    errors::ParquetError,
    file::{
        properties::WriterPropertiesPtr,
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use crate::columns::{Cell, ColumnType};

/// The memory overhead of a string while it is compressed.
const TEXT_BYTES: usize = 40;

/// The compressed bytes of a column, with their metadata for the file.
pub(super) type PackedChunk = (Bytes, ColumnCloseResult);

/// The values of a column, without nulls.
enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Strings(Strings),
    Fixed(usize, Strings),
    Codes(Vec<i32>),
}

/// Concatenated strings, and the end of each.
#[derive(Default)]
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

// The levels are built here because the crate's `arrow` feature, which would derive them from Arrow arrays, adds 21 crates
// and triples the compile time of Parquet (188 instead of 63 CPU seconds).
/// A column of a group.
pub(super) struct Chunk {
    values: Values,
    /// The definition level of each row, 1 if the value is not null; for lists, 2 for each element and 1 for an empty
    /// list.
    present: Vec<i16>,
    /// The repetition levels of lists: 0 at the start of a list, otherwise 1.
    starts: Option<Vec<i16>>,
}

impl Chunk {
    pub(super) fn new(holds: ColumnType) -> Chunk {
        let values = match holds {
            ColumnType::Integer | ColumnType::Key => Values::Integers(Vec::new()),
            ColumnType::Real => Values::Reals(Vec::new()),
            ColumnType::Text | ColumnType::Bytes => Values::Strings(Strings::default()),
            ColumnType::FixedBytes(bytes) => Values::Fixed(bytes.into(), Strings::default()),
            ColumnType::Codes => Values::Codes(Vec::new()),
        };
        Chunk { values, present: Vec::new(), starts: (holds == ColumnType::Codes).then(Vec::new) }
    }

    /// Adds a value; a value of the wrong type becomes null. Returns its approximate size.
    pub(super) fn push(&mut self, cell: Cell) -> usize {
        if let (Values::Codes(values), Cell::Codes(codes)) = (&mut self.values, &cell) {
            self.present.extend(repeat_n(if codes.is_empty() { 1 } else { 2 }, codes.len().max(1)));
            if let Some(starts) = &mut self.starts {
                starts.push(0);
                starts.extend(repeat_n(1, codes.len().saturating_sub(1)));
            }
            values.extend(codes.iter().copied().map(i32::from));
            return 8 * codes.len() + 4;
        }
        let bytes = match (&mut self.values, cell) {
            (Values::Integers(values), Cell::Integer(number)) => Some(added(values, number)),
            (Values::Reals(values), Cell::Real(number)) => Some(added(values, number)),
            (Values::Strings(values), Cell::Text(text)) => Some(values.push(text.as_bytes())),
            (Values::Strings(values), Cell::Bytes(bytes)) => Some(values.push(&bytes)),
            (Values::Fixed(length, values), Cell::Bytes(bytes)) if bytes.len() == *length => {
                Some(values.push(&bytes))
            }
            _ => None,
        };
        self.present.push(i16::from(bytes.is_some()));
        self.starts.iter_mut().for_each(|starts| starts.push(0));
        bytes.unwrap_or(2)
    }

    /// Compresses the column.
    pub(super) fn pack(
        self,
        column: ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<PackedChunk, ParquetError> {
        let mut packed = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut packed));
        let mut writer = get_column_writer(column, properties, pages);
        let (present, starts) = (Some(&self.present[..]), self.starts.as_deref());
        match (&mut writer, self.values) {
            (ColumnWriter::Int64ColumnWriter(writer), Values::Integers(values)) => {
                writer.write_batch(&values, present, starts)
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Reals(values)) => {
                writer.write_batch(&values, present, starts)
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::Strings(values)) => {
                let values: Vec<ByteArray> = values.each().map(ByteArray::from).collect();
                writer.write_batch(&values, present, starts)
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(writer), Values::Fixed(_, values)) => {
                let values: Vec<FixedLenByteArray> =
                    values.each().map(|bytes| ByteArray::from(bytes).into()).collect();
                writer.write_batch(&values, present, starts)
            }
            (ColumnWriter::Int32ColumnWriter(writer), Values::Codes(values)) => {
                writer.write_batch(&values, present, starts)
            }
            _ => Err(ParquetError::General("the column has another type".to_owned())),
        }?;
        let closed = writer.close()?;
        Ok((packed.into_inner()?.into(), closed))
    }
}

impl Strings {
    fn push(&mut self, bytes: &[u8]) -> usize {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        bytes.len() + TEXT_BYTES
    }

    fn each(self) -> impl Iterator<Item = Bytes> {
        let (mut begin, all) = (0, Bytes::from(self.bytes));
        self.ends.into_iter().map(move |end| {
            let string = all.slice(begin..end);
            begin = end;
            string
        })
    }
}

fn added<T>(values: &mut Vec<T>, value: T) -> usize {
    values.push(value);
    10
}
