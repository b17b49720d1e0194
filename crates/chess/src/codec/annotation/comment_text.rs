//! The texts of comments, compressed together with a dictionary of chess phrases.
//!
//! The dictionary is frozen: text that was compressed with it can only be decompressed with it. Without the feature
//! `sources`, texts are written uncompressed.

use std::cell::RefCell;

use super::packed;
use crate::codec::{DecodeError, zstd_frame::Unpacker};

pub(in crate::codec) const DICTIONARY: &[u8] = include_bytes!("dictionary.txt");

thread_local! {
    /// Kept for the next game, because it has already loaded the dictionary.
    static UNPACKER: RefCell<Unpacker> = const { RefCell::new(Unpacker::new(DICTIONARY)) };
}

/// Appends texts.
pub(super) fn push(bytes: &mut Vec<u8>, text: &[u8]) {
    packed::push(bytes, &[text], frame(text));
}

/// `None` if there is nothing to compress or the compressor runs out of memory.
#[cfg(feature = "zstd")]
fn frame(text: &[u8]) -> Option<Vec<u8>> {
    use crate::codec::zstd_frame::Packer;
    const LEVEL: i32 = 6;
    thread_local! {
        static PACKER: RefCell<Packer> = const { RefCell::new(Packer::new(DICTIONARY, LEVEL)) };
    }
    if text.is_empty() {
        return None;
    }
    PACKER.with_borrow_mut(|packer| packer.pack(text))
}

/// Without a compressor, texts are stored uncompressed.
#[cfg(not(feature = "zstd"))]
fn frame(_: &[u8]) -> Option<Vec<u8>> {
    None
}

/// Reads texts from the start of some bytes.
pub(super) fn take(bytes: &[u8]) -> Result<(Vec<u8>, &[u8]), DecodeError> {
    packed::take(bytes, &UNPACKER)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKED: [u8; 37] = [
        209, 2, 34, 32, 168, 237, 0, 0, 112, 87, 0, 99, 108, 101, 97, 114, 32, 104, 101, 114, 101, 46, 0, 4,
        0, 109, 171, 100, 120, 106, 237, 89, 48, 30, 131, 80, 8,
    ];

    #[test]
    fn the_dictionary_never_changes() {
        assert_eq!(twox_hash::XxHash3_64::oneshot(DICTIONARY), 4_549_586_902_490_780_053);
    }

    /// Texts that were compressed once must always decompress, also without the C library.
    #[test]
    fn compressed_texts_are_decompressed_in_every_build() {
        let text = "White is slightly better.\0White is clearly better here.\0".repeat(3);
        assert_eq!(take(&PACKED), Ok((text.into_bytes(), &[][..])));
    }

    #[test]
    fn texts_round_trip_and_wrong_bytes_are_rejected() {
        let long = "White is slightly better.\0".repeat(50);
        for text in ["", "x\0", "a better move\0", &long] {
            let mut bytes = Vec::new();
            push(&mut bytes, text.as_bytes());
            bytes.push(7);
            assert_eq!(take(&bytes), Ok((text.as_bytes().to_vec(), &[7][..])));
            bytes.pop();
            for cut in 0..bytes.len() {
                assert!(take(&bytes[..cut]).is_err());
            }
        }
        assert!(take(&[0xff, 0xff, 0xff, 0xff, 0x0f]).is_err());
    }
}
