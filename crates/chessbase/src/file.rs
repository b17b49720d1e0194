//! Reads parts of a file through a few blocks in memory, so that a database of any size takes as much.

use std::{
    collections::HashMap,
    io::{self, Read, Seek, SeekFrom},
};

/// Bytes of a block. Records are much smaller, and mostly follow each other.
const BLOCK: u64 = 16 << 10;
/// Blocks of a file that are kept.
const MOST_BLOCKS: usize = 64;

/// A file of a database, wherever it is.
pub trait Data: Read + Seek + Send {}

impl<T: Read + Seek + Send> Data for T {}

pub(crate) struct BlockFile {
    data: Box<dyn Data>,
    length: u64,
    blocks: HashMap<u64, Vec<u8>>,
}

impl BlockFile {
    pub(crate) fn new(mut data: Box<dyn Data>) -> io::Result<BlockFile> {
        let length = data.seek(SeekFrom::End(0))?;
        Ok(BlockFile { data, length, blocks: HashMap::new() })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The bytes at an offset; fewer at the end of the file.
    pub(crate) fn read(&mut self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let left = self.length.saturating_sub(offset);
        if left == 0 {
            // Systems refuse to seek to numbers that no file can have.
            return Ok(Vec::new());
        }
        let length = usize::try_from(left).map_or(length, |left| left.min(length));
        let (block, start) = (offset / BLOCK, (offset % BLOCK) as usize);
        if start + length > BLOCK as usize {
            return self.read_directly(offset, length);
        }
        if !self.blocks.contains_key(&block) {
            let bytes = self.read_directly(block * BLOCK, BLOCK as usize)?;
            if self.blocks.len() >= MOST_BLOCKS {
                self.blocks.clear();
            }
            self.blocks.insert(block, bytes);
        }
        let bytes = self.blocks.get(&block).map_or(&[][..], Vec::as_slice);
        Ok(bytes.get(start..).unwrap_or_default().iter().take(length).copied().collect())
    }

    fn read_directly(&mut self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.data.seek(SeekFrom::Start(offset))?;
        (&mut self.data).take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
