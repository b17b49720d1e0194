//! zstd frames written by the C library. The same version always writes the same bytes.

use std::io::{self, Write};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::{
        CCtx, CParameter, InBuffer, OutBuffer, ResetDirective, compress_bound, find_frame_compressed_size,
        zstd_sys::ZSTD_EndDirective,
    },
};

use super::{FrameError, checked_content};

/// A frame with a checksum of its content, but without its length.
pub fn pack_with_checksum(content: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), level)?;
    encoder.include_checksum(true)?;
    encoder.write_all(content)?;
    encoder.finish()
}

/// Compresses contents with one dictionary, which is loaded only once.
pub struct Packer {
    dictionary: &'static [u8],
    level: i32,
    compressor: Option<Compressor<'static>>,
}

impl Packer {
    /// A compressor with a dictionary of plain text.
    pub const fn new(dictionary: &'static [u8], level: i32) -> Packer {
        Packer { dictionary, level, compressor: None }
    }

    /// Compresses to a frame. `None` if there is not enough memory.
    pub fn pack(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        if self.compressor.is_none() {
            self.compressor = Compressor::with_dictionary(self.level, self.dictionary).ok();
        }
        self.compressor.as_mut()?.compress(content).ok()
    }
}

/// Compresses contents that consist of parts, which may be of very different kinds, without a dictionary.
pub struct PartsPacker {
    level: i32,
    context: Option<CCtx<'static>>,
}

impl PartsPacker {
    /// Minimum size of parts that get their own block, in bytes: shorter ones lose as much on the code table as they
    /// gain from their own code.
    const BLOCK: usize = 1024;

    pub const fn new(level: i32) -> PartsPacker {
        PartsPacker { level, context: None }
    }

    /// Compresses to a frame in which sufficiently long parts have their own blocks. `None` if there is not enough
    /// memory.
    pub fn pack(&mut self, parts: &[&[u8]]) -> Option<Vec<u8>> {
        if self.context.is_none() {
            let mut context = CCtx::try_create()?;
            context.set_parameter(CParameter::CompressionLevel(self.level)).ok()?;
            self.context = Some(context);
        }
        let context = self.context.as_mut()?;
        let length = parts.iter().map(|part| part.len()).sum::<usize>();
        context.reset(ResetDirective::SessionOnly).ok()?;
        context.set_pledged_src_size(Some(length as u64)).ok()?;
        let mut frame = Vec::with_capacity(compress_bound(length));
        let mut unended = 0;
        for part in parts {
            unended += part.len();
            let is_block = unended >= Self::BLOCK;
            let end =
                if is_block { ZSTD_EndDirective::ZSTD_e_flush } else { ZSTD_EndDirective::ZSTD_e_continue };
            write(context, part, end, &mut frame)?;
            unended = if is_block { 0 } else { unended };
        }
        write(context, &[], ZSTD_EndDirective::ZSTD_e_end, &mut frame)?;
        Some(frame)
    }
}

/// Appends to a frame until all input is consumed and output is flushed as far as the directive requires.
fn write(context: &mut CCtx<'_>, part: &[u8], end: ZSTD_EndDirective, frame: &mut Vec<u8>) -> Option<()> {
    let mut input = InBuffer::around(part);
    loop {
        // The size bound of a complete content does not include the few extra bytes per block.
        frame.reserve(1024);
        let written = frame.len();
        let left =
            context.compress_stream2(&mut OutBuffer::around_pos(frame, written), &mut input, end).ok()?;
        let is_taken = input.pos() == part.len();
        if is_taken && (left == 0 || end == ZSTD_EndDirective::ZSTD_e_continue) {
            return Some(());
        }
    }
}

/// Decompresses frames with one dictionary, which is loaded only once.
pub struct Unpacker {
    dictionary: &'static [u8],
    decompressor: Option<Decompressor<'static>>,
}

impl Unpacker {
    /// A decoder with a dictionary of plain text, or with an empty one for none.
    pub const fn new(dictionary: &'static [u8]) -> Unpacker {
        Unpacker { dictionary, decompressor: None }
    }

    /// The content of a frame, with at most `max` bytes.
    pub fn unpack(&mut self, frame: &[u8], max: usize) -> Result<Vec<u8>, FrameError> {
        checked_content(frame, max)?;
        // The library would also decompress several concatenated frames.
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
