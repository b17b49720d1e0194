//! Texts as single zstd frames. Decompression needs no C compiler; compression uses the C library, with the feature
//! `sources`.
//!
//! With that feature the C library also decompresses, because it is three times as fast. Both decoders give the same
//! text for every frame written by a compressor. A damaged frame without a checksum may give different texts in the
//! two decoders, but neither exceeds the allowed size.
//!
//! Input must be a single frame without a dictionary ID and with no data after it. The sizes of content and window in
//! its header are checked before memory is allocated for them.

#[cfg(feature = "zstd")]
mod c_library;
#[cfg(any(test, not(feature = "zstd")))]
mod pure_rust;
#[cfg(all(test, feature = "zstd"))]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation)]
mod tests;

#[cfg(feature = "zstd")]
pub use c_library::{Packer, PartsPacker, Unpacker, pack_with_checksum};
#[cfg(not(feature = "zstd"))]
pub use pure_rust::Unpacker;

/// Size of the largest window of a frame in bytes, unless its content may be larger. plybook itself never writes
/// frames with such a window.
const MAX_WINDOW: u64 = 1 << 24;

/// The first bytes of every frame.
pub const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Why a frame could not be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Not a single valid frame.
    #[error("not a zstd frame, or a damaged one")]
    Damaged,
    /// The content or the window is larger than allowed.
    #[error("the content is too large")]
    TooLarge,
}

/// The information in the header of a frame.
struct Header {
    /// Size of the window: memory that is allocated before decompression.
    window: u64,
    /// Size of the content, if known.
    content: Option<u64>,
}

impl Header {
    fn read(frame: &[u8]) -> Option<Header> {
        let (&flags, mut rest) = frame.strip_prefix(&MAGIC)?.split_first()?;
        // The length of the dictionary ID, and a reserved bit.
        if flags & 0x0b != 0 {
            return None;
        }
        let in_one_segment = flags & 0x20 != 0;
        let mut window = None;
        if !in_one_segment {
            let (&byte, after) = rest.split_first()?;
            let base = 1 << (10 + (byte >> 3));
            window = Some(base + base / 8 * u64::from(byte & 7));
            rest = after;
        }
        let length = match flags >> 6 {
            0 => usize::from(in_one_segment),
            1 => 2,
            2 => 4,
            _ => 8,
        };
        let number = rest.get(..length)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let content = match length {
            0 => None,
            2 => Some(number + 256),
            _ => Some(number),
        };
        Some(Header { window: window.or(content)?, content })
    }
}

/// The length of the content according to the frame header, if given. Checks it and the window.
fn checked_content(frame: &[u8], max: usize) -> Result<Option<u64>, FrameError> {
    let header = Header::read(frame).ok_or(FrameError::Damaged)?;
    let max = max as u64;
    if header.content.is_some_and(|content| content > max) || header.window > MAX_WINDOW.max(max) {
        return Err(FrameError::TooLarge);
    }
    Ok(header.content)
}
