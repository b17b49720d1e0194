//! Bytes stored as they are, or as a zstd frame if that is shorter.
//!
//! Format: a varint with twice the length of the bytes, plus one if they are compressed. Compressed bytes are preceded
//! by a varint with their compressed length, and are a frame without its four magic bytes.

use std::{cell::RefCell, thread::LocalKey};

use super::{damaged, varint};
use crate::{
    codec::{
        DecodeError,
        zstd_frame::{MAGIC, Unpacker},
    },
    limits::MAX_ANNOTATION_BYTES,
};

/// Appends the bytes of some parts, or the frame that contains them.
pub(super) fn push(bytes: &mut Vec<u8>, parts: &[&[u8]], frame: Option<Vec<u8>>) {
    let length = parts.iter().map(|part| part.len()).sum::<usize>();
    match frame.as_ref().and_then(|frame| frame.strip_prefix(&MAGIC)).filter(|packed| packed.len() < length) {
        Some(packed) => {
            varint::push(bytes, length as u64 * 2 + 1);
            varint::push(bytes, packed.len() as u64);
            bytes.extend(packed);
        }
        None => {
            varint::push(bytes, length as u64 * 2);
            parts.iter().for_each(|part| bytes.extend(*part));
        }
    }
}

/// Reads bytes from the start of others; a frame is decompressed by the decoder with the right dictionary.
pub(super) fn take<'a>(
    bytes: &'a [u8],
    unpacker: &'static LocalKey<RefCell<Unpacker>>,
) -> Result<(Vec<u8>, &'a [u8]), DecodeError> {
    let cut_short = damaged("truncated text");
    let (header, rest) = varint::take(bytes).ok_or(cut_short.clone())?;
    let length = usize::try_from(header / 2).map_err(|_| cut_short.clone())?;
    if length > MAX_ANNOTATION_BYTES {
        return Err(damaged("too much text"));
    }
    if header % 2 == 0 {
        let (text, rest) = rest.split_at_checked(length).ok_or(cut_short)?;
        return Ok((text.to_vec(), rest));
    }
    let (size, rest) = varint::take(rest).ok_or(cut_short.clone())?;
    let size = usize::try_from(size).map_err(|_| cut_short.clone())?;
    let (packed, rest) = rest.split_at_checked(size).ok_or(cut_short)?;
    let frame = [&MAGIC, packed].concat();
    let text = unpacker.with_borrow_mut(|unpacker| unpacker.unpack(&frame, length));
    let text = text.ok().filter(|text| text.len() == length);
    Ok((text.ok_or(damaged("corrupt compressed text"))?, rest))
}
