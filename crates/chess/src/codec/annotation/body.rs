//! The body of version 3: opcodes, texts and columns, [packed](super::packed) together.
//!
//! | part | what |
//! |---|---|
//! | varint, … | the length of the opcodes, and they |
//! | varint, … | the length of the texts, and they |
//! | rest | the columns (`fields.rs`) |
//!
//! The frame has no dictionary. A column has a block of its own in it, since digits and moves need other codes; short
//! ones share one.

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
        let (opcodes, rest) = varint::take_bytes(body).ok_or(damaged("the script is cut short"))?;
        let (texts, columns) = varint::take_bytes(rest).ok_or(damaged("the text is cut short"))?;
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

/// `None` if the packer has no memory.
#[cfg(feature = "zstd")]
fn frame(parts: &[&[u8]]) -> Option<Vec<u8>> {
    use crate::codec::zstd_frame::PartsPacker;
    const LEVEL: i32 = 6;
    thread_local! {
        static PACKER: RefCell<PartsPacker> = const { RefCell::new(PartsPacker::new(LEVEL)) };
    }
    PACKER.with_borrow_mut(|packer| packer.pack(parts))
}

/// Without a packer, a body is kept as it is.
#[cfg(not(feature = "zstd"))]
fn frame(_: &[&[u8]]) -> Option<Vec<u8>> {
    None
}

/// Takes a body from the front of some bytes.
pub(super) fn take(bytes: &[u8]) -> Result<(Vec<u8>, &[u8]), DecodeError> {
    packed::take(bytes, &UNPACKER)
}
