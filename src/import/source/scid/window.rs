//! Reads parts of a large file. Parts that follow each other are read together.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

use crate::scid::MAX_GAME_DATA;

/// Bytes that are read at a time if the parts follow each other.
const AHEAD: u64 = 256 << 10;

pub(super) struct Window {
    file: File,
    length: u64,
    /// What was read last, and where it is in the file.
    bytes: Vec<u8>,
    start: u64,
}

impl Window {
    pub(super) fn new(file: File) -> io::Result<Window> {
        let length = file.metadata()?.len();
        Ok(Window { file, length, bytes: Vec::new(), start: 0 })
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// A part of the file; `None` if it is not within the file.
    pub(super) fn read(&mut self, offset: u64, length: usize) -> io::Result<Option<&[u8]>> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Ok(None);
        }
        if self.range(offset, length).is_none() {
            let end = self.start + self.bytes.len() as u64;
            let follows = (self.start..=end + MAX_GAME_DATA as u64).contains(&offset);
            let size = if follows { AHEAD.max(length as u64) } else { length as u64 };
            self.file.seek(SeekFrom::Start(offset))?;
            self.bytes.clear();
            self.start = offset;
            (&mut self.file).take(size).read_to_end(&mut self.bytes)?;
        }
        Ok(self.range(offset, length).and_then(|range| self.bytes.get(range)))
    }

    /// Where a part of the file is in the bytes that were read.
    fn range(&self, offset: u64, length: usize) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let end = start.checked_add(length)?;
        (end <= self.bytes.len()).then_some(start..end)
    }
}
