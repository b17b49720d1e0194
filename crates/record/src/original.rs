//! The bytes of games as they stood in their source. They are kept where the text was not UTF-8 or had to be
//! repaired, so that nothing of it is lost.

use plybook_chess::{
    codec::zstd_frame::{FrameError, Unpacker},
    limits::MAX_GAME_BYTES,
};

/// How hard zstd tries.
#[cfg(feature = "zstd")]
const LEVEL: i32 = 3;

/// A zstd frame with a checksum.
#[cfg(feature = "zstd")]
pub fn packed(text: &[u8]) -> Vec<u8> {
    // Writing to memory cannot fail.
    plybook_chess::codec::zstd_frame::pack_with_checksum(text, LEVEL).unwrap_or_default()
}

/// The text that a frame holds.
///
/// # Errors
/// The frame is damaged, or it holds more than a game may have.
pub fn unpacked(frame: &[u8]) -> Result<Vec<u8>, FrameError> {
    Unpacker::new(&[]).unpack(frame, MAX_GAME_BYTES)
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use super::*;

    #[test]
    fn an_original_larger_than_any_game_is_damage() {
        let text = |bytes| vec![b'x'; bytes];
        assert_eq!(unpacked(&packed(&text(MAX_GAME_BYTES))).ok(), Some(text(MAX_GAME_BYTES)));
        assert!(unpacked(&packed(&text(MAX_GAME_BYTES + 1))).is_err());
    }
}
