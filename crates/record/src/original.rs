//! The original bytes of games in their source. They are kept if the text was not UTF-8 or had to be repaired, so that
//! nothing is lost.

use plybook_chess::{
    codec::zstd_frame::{FrameError, Unpacker},
    limits::MAX_GAME_BYTES,
};

/// The compression level of zstd.
#[cfg(feature = "zstd")]
const LEVEL: i32 = 3;

/// Compresses a text to a zstd frame with a checksum.
#[cfg(feature = "zstd")]
pub fn packed(text: &[u8]) -> Vec<u8> {
    // Writing to memory cannot fail.
    plybook_chess::codec::zstd_frame::pack_with_checksum(text, LEVEL).unwrap_or_default()
}

/// Decompresses a frame.
///
/// # Errors
/// The frame is damaged, or its text is larger than a game may be.
pub fn unpacked(frame: &[u8]) -> Result<Vec<u8>, FrameError> {
    Unpacker::new(&[]).unpack(frame, MAX_GAME_BYTES)
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use super::*;

    #[test]
    fn oversized_originals_are_rejected() {
        let text = |bytes| vec![b'x'; bytes];
        assert_eq!(unpacked(&packed(&text(MAX_GAME_BYTES))).ok(), Some(text(MAX_GAME_BYTES)));
        assert!(unpacked(&packed(&text(MAX_GAME_BYTES + 1))).is_err());
    }
}
