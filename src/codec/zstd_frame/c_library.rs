//! Frames by the C library. What it packs never changes but with its version.

use std::io::{self, Write};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::find_frame_compressed_size,
};

use super::{FrameError, checked_content};

/// A frame with a checksum of its content, and without its length.
pub(crate) fn pack_with_checksum(content: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), level)?;
    encoder.include_checksum(true)?;
    encoder.write_all(content)?;
    encoder.finish()
}

/// Packs contents with one dictionary, which it reads only once.
pub(crate) struct Packer {
    dictionary: &'static [u8],
    level: i32,
    compressor: Option<Compressor<'static>>,
}

impl Packer {
    /// A packer with a dictionary of plain text.
    pub(crate) const fn new(dictionary: &'static [u8], level: i32) -> Packer {
        Packer { dictionary, level, compressor: None }
    }

    /// A frame. `None` if there is no memory for it.
    pub(crate) fn pack(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        if self.compressor.is_none() {
            self.compressor = Compressor::with_dictionary(self.level, self.dictionary).ok();
        }
        self.compressor.as_mut()?.compress(content).ok()
    }
}

/// Unpacks frames with one dictionary, which it reads only once.
pub(crate) struct Unpacker {
    dictionary: &'static [u8],
    decompressor: Option<Decompressor<'static>>,
}

impl Unpacker {
    /// An unpacker with a dictionary of plain text, or with an empty one for none.
    pub(crate) const fn new(dictionary: &'static [u8]) -> Unpacker {
        Unpacker { dictionary, decompressor: None }
    }

    /// The content of a frame, of at most `max` bytes.
    pub(crate) fn unpack(&mut self, frame: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
        checked_content(frame, max)?;
        // The library would also unpack several frames one after the other.
        if find_frame_compressed_size(frame) != Ok(frame.len()) {
            return Err(FrameError::Damaged);
        }
        if self.decompressor.is_none() {
            self.decompressor = Decompressor::with_dictionary(self.dictionary).ok();
        }
        let decompressor = self.decompressor.as_mut().ok_or(FrameError::TooLarge)?;
        decompressor.decompress(frame, max).map_err(|_| FrameError::Damaged)
    }
}
