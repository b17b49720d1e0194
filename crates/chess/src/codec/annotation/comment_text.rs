//! The texts of comments, packed together with a dictionary of chess phrases.
//!
//! The dictionary is frozen: what was packed with it can only be unpacked with it. Without the feature `sources`
//! texts are written unpacked.

use std::cell::RefCell;

use super::packed;
use crate::codec::{DecodeError, zstd_frame::Unpacker};

pub(in crate::codec) const DICTIONARY: &[u8] = include_bytes!("dictionary.txt");

thread_local! {
    /// Kept for the next game: it has read the dictionary.
    static UNPACKER: RefCell<Unpacker> = const { RefCell::new(Unpacker::new(DICTIONARY)) };
}

/// Appends texts.
pub(super) fn push(bytes: &mut Vec<u8>, text: &[u8]) {
    packed::push(bytes, &[text], frame(text));
}

/// `None` if there is nothing to pack or the packer has no memory.
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

/// Without a packer, texts are kept as they are.
#[cfg(not(feature = "zstd"))]
fn frame(_: &[u8]) -> Option<Vec<u8>> {
    None
}

/// Takes texts from the front of some bytes.
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

    /// Texts as they were packed once, and for ever are unpacked: also where the C library is absent.
    #[test]
    fn packed_texts_are_unpacked_in_every_build() {
        let text = "White is slightly better.\0White is clearly better here.\0".repeat(3);
        assert_eq!(take(&PACKED), Ok((text.into_bytes(), &[][..])));
    }

    #[test]
    fn texts_come_back_and_wrong_bytes_do_not() {
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
