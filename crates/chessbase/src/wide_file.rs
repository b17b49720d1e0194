//! Files of records whose size is in the header: `.cbj` and `.cbtt`.

use std::io;

use crate::{bytes::Bytes, file::BlockFile};

/// Bytes of the header.
const HEADER: u64 = 32;
/// The largest record; the largest known one has 405 bytes.
const MOST_BYTES: usize = 1 << 12;

/// An open file.
pub(crate) struct WideFile {
    file: BlockFile,
    size: usize,
}

impl WideFile {
    pub(crate) fn open(mut file: BlockFile) -> io::Result<WideFile> {
        let header = file.read(0, HEADER as usize)?;
        let size = Bytes::at(&header, 4).i32_le().and_then(|size| usize::try_from(size).ok());
        Ok(WideFile { file, size: size.unwrap_or(0).min(MOST_BYTES) })
    }

    /// A record; fewer bytes or none if the file has no more.
    pub(crate) fn read(&mut self, index: u64) -> io::Result<Vec<u8>> {
        self.file.read(HEADER + index * self.size as u64, self.size)
    }
}
