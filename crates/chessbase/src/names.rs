//! The files of names: players, tournaments, annotators, sources, teams and titles of games. A name has the number of its
//! record.

use std::io;

use crate::{bytes::Bytes, file::BlockFile};

/// Bytes of the header without its extra ones, and before the data of a record.
const HEADER: usize = 28;
const LINKS: usize = 9;
/// The third number of the header.
const MAGIC: i32 = 1_234_567_890;
/// The largest data of a record that is believed; the largest known one is a title with 1,608 bytes.
const MOST: usize = 1 << 16;

/// A file of names.
pub(crate) struct NameFile {
    file: BlockFile,
    start: u64,
    /// Bytes of the data of a record.
    size: usize,
}

impl NameFile {
    /// Opens a file; `None` if it is not one of names.
    pub(crate) fn open(mut file: BlockFile) -> io::Result<Option<NameFile>> {
        let header = file.read(0, HEADER)?;
        let Some((size, start)) = read_header(&header) else { return Ok(None) };
        Ok(Some(NameFile { file, start, size }))
    }

    /// The number of records.
    pub(crate) fn count(&self) -> u64 {
        self.file.length().saturating_sub(self.start) / self.stride()
    }

    fn stride(&self) -> u64 {
        (LINKS + self.size) as u64
    }

    /// The offset of a record's data.
    pub(crate) fn offset(&self, id: u32) -> u64 {
        self.start + u64::from(id) * self.stride() + LINKS as u64
    }

    /// The data of a record; `None` if the file does not have it.
    pub(crate) fn read(&mut self, id: u32) -> io::Result<Option<Vec<u8>>> {
        let data = self.file.read(self.offset(id), self.size)?;
        Ok(Some(data).filter(|data| data.len() == self.size))
    }
}

fn read_header(header: &[u8]) -> Option<(usize, u64)> {
    let mut bytes = Bytes(header);
    let (_, _, magic, size) = (bytes.i32_le()?, bytes.i32_le()?, bytes.i32_le()?, bytes.i32_le()?);
    let (_, _, extra) = (bytes.i32_le()?, bytes.i32_le()?, bytes.i32_le()?);
    let size = usize::try_from(size).ok().filter(|size| (1..=MOST).contains(size) && magic == MAGIC)?;
    let extra = u64::try_from(extra).ok().filter(|extra| *extra <= MOST as u64)?;
    Some((size, HEADER as u64 + extra))
}
