//! The body of version 3: opcodes, texts and columns, [compressed](super::packed) together.
//!
//! | part | content |
//! |---|---|
//! | varint, … | the opcodes with their length |
//! | varint, … | the texts with their length |
//! | rest | the columns (`fields.rs`) |
//!
//! The zstd frame has no dictionary. Each column has its own block, because digits and moves need different codes;
//! short columns share a block.

use std::cell::RefCell;

use super::{damaged, packed, varint};
use crate::codec::{DecodeError, zstd_frame::Unpacker};

thread_local! {
    static UNPACKER: RefCell<Unpacker> = const { RefCell::new(Unpacker::new(&[])) };
}

/// The parts of a body.
pub(super) struct Body<'a> {
    pub opcodes: &'a [u8],
    pub texts: &'a [u8],
    pub columns: &'a [u8],
}

impl<'a> Body<'a> {
    pub(super) fn read(body: &'a [u8]) -> Result<Body<'a>, DecodeError> {
        let (opcodes, rest) = varint::take_bytes(body).ok_or(damaged("truncated opcodes"))?;
        let (texts, columns) = varint::take_bytes(rest).ok_or(damaged("truncated text"))?;
        Ok(Body { opcodes, texts, columns })
    }
}

/// Appends a body.
pub(super) fn push(bytes: &mut Vec<u8>, opcodes: &[u8], texts: &[u8], columns: &[Vec<u8>]) {
    let mut head = Vec::with_capacity(opcodes.len() + texts.len() + 10);
    for part in [opcodes, texts] {
        varint::push(&mut head, part.len() as u64);
        head.extend(part);
    }
    let parts: Vec<&[u8]> = std::iter::once(&head).chain(columns).map(Vec::as_slice).collect();
    packed::push(bytes, &parts, frame(&parts));
}

/// `None` if the compressor runs out of memory.
#[cfg(feature = "zstd")]
fn frame(parts: &[&[u8]]) -> Option<Vec<u8>> {
    use crate::codec::zstd_frame::PartsPacker;
    const LEVEL: i32 = 6;
    thread_local! {
        static PACKER: RefCell<PartsPacker> = const { RefCell::new(PartsPacker::new(LEVEL)) };
    }
    PACKER.with_borrow_mut(|packer| packer.pack(parts))
}

/// Without a compressor, a body is stored uncompressed.
#[cfg(not(feature = "zstd"))]
fn frame(_: &[&[u8]]) -> Option<Vec<u8>> {
    None
}

/// Reads a body from the start of some bytes.
pub(super) fn take(bytes: &[u8]) -> Result<(Vec<u8>, &[u8]), DecodeError> {
    packed::take(bytes, &UNPACKER)
}
