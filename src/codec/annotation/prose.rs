//! The texts of comments, packed together with zstd and a dictionary of chess phrases.
//!
//! A varint: twice the length of the texts, and one more if they are packed. Packed ones are followed by a
//! varint with their packed length and a zstd frame without its four magic bytes.
//!
//! The dictionary is frozen: what was packed with it can only be unpacked with it.

use std::cell::RefCell;

use super::{damaged, varint};
use crate::{codec::DecodeError, limits::MAX_ANNOTATION_BYTES};

const DICTIONARY: &[u8] = include_bytes!("dictionary.txt");

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

const LEVEL: i32 = 12;

thread_local! {
    /// Kept for the next game: it has read the dictionary.
    static PACKER: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Appends texts.
pub(super) fn push(bytes: &mut Vec<u8>, prose: &[u8]) {
    let length = prose.len() as u64 * 2;
    match packed(prose).filter(|packed| packed.len() < prose.len()) {
        Some(packed) => {
            varint::push(bytes, length + 1);
            varint::push(bytes, packed.len() as u64);
            bytes.extend(packed);
        }
        None => {
            varint::push(bytes, length);
            bytes.extend(prose);
        }
    }
}

/// A frame without its magic bytes. `None` if there is nothing to pack or the packer has no memory.
fn packed(prose: &[u8]) -> Option<Vec<u8>> {
    if prose.is_empty() {
        return None;
    }
    PACKER.with_borrow_mut(|packer| {
        if packer.is_none() {
            *packer = zstd::bulk::Compressor::with_dictionary(LEVEL, DICTIONARY).ok();
        }
        let frame = packer.as_mut()?.compress(prose).ok()?;
        frame.strip_prefix(&MAGIC).map(<[u8]>::to_vec)
    })
}

/// Takes texts from the front of some bytes.
pub(super) fn take(bytes: &[u8]) -> Result<(Vec<u8>, &[u8]), DecodeError> {
    let cut_short = damaged("the text is cut short");
    let (header, rest) = varint::take(bytes).ok_or(cut_short.clone())?;
    let length = usize::try_from(header / 2).map_err(|_| cut_short.clone())?;
    if length > MAX_ANNOTATION_BYTES {
        return Err(damaged("more text than a game may have"));
    }
    if header % 2 == 0 {
        let (prose, rest) = rest.split_at_checked(length).ok_or(cut_short)?;
        return Ok((prose.to_vec(), rest));
    }
    let (size, rest) = varint::take(rest).ok_or(cut_short.clone())?;
    let size = usize::try_from(size).map_err(|_| cut_short.clone())?;
    let (packed, rest) = rest.split_at_checked(size).ok_or(cut_short)?;
    let prose = unpacked(packed, length).filter(|prose| prose.len() == length);
    Ok((prose.ok_or(damaged("the text cannot be unpacked"))?, rest))
}

fn unpacked(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    UNPACKER.with_borrow_mut(|unpacker| {
        if unpacker.is_none() {
            *unpacker = zstd::bulk::Decompressor::with_dictionary(DICTIONARY).ok();
        }
        unpacker.as_mut()?.decompress(&[&MAGIC, packed].concat(), length).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_never_changes() {
        assert_eq!(twox_hash::XxHash3_64::oneshot(DICTIONARY), 4_549_586_902_490_780_053);
    }

    #[test]
    fn texts_come_back_and_wrong_bytes_do_not() {
        let long = "White is slightly better.\0".repeat(50);
        for prose in ["", "x\0", "a better move\0", &long] {
            let mut bytes = Vec::new();
            push(&mut bytes, prose.as_bytes());
            bytes.push(7);
            assert_eq!(take(&bytes), Ok((prose.as_bytes().to_vec(), &[7][..])));
            bytes.pop();
            for cut in 0..bytes.len() {
                assert!(take(&bytes[..cut]).is_err());
            }
        }
        assert!(take(&[0xff, 0xff, 0xff, 0xff, 0x0f]).is_err());
    }
}
