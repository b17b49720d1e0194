//! Texts as one zstd frame. Unpacking needs no C compiler; packing is the C library's, with the feature `sources`.
//!
//! With that feature the C library unpacks as well, because it is three times as fast. Both give the same text for
//! every frame that a packer has made. A damaged frame without a checksum may give other text in one than in the
//! other, but neither gives more than was allowed.
//!
//! What is taken is one frame, with nothing behind it, that names no dictionary. What it says of its content and its
//! window is checked before memory is taken for them.

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

/// Bytes of the largest window of a frame, unless its content may be larger. No packer of ours uses as much.
const MAX_WINDOW: u64 = 1 << 24;

/// The first bytes of every frame.
pub const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Why a frame could not be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// It is no frame, or not one alone.
    #[error("it is no zstd frame, or a damaged one")]
    Damaged,
    /// Its content or its window is larger than allowed.
    #[error("it is larger than it may be")]
    TooLarge,
}

/// What a frame says of itself in front.
struct Header {
    /// Bytes of the window: memory that is taken before anything is unpacked.
    window: u64,
    /// Bytes of the content, where they are known.
    content: Option<u64>,
}

impl Header {
    fn read(frame: &[u8]) -> Option<Header> {
        let (&flags, mut rest) = frame.strip_prefix(&MAGIC)?.split_first()?;
        // The length of a dictionary's number, and a bit that is reserved.
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

/// The content's length as the frame says, if it does; checked, like its window.
fn checked_content(frame: &[u8], max: usize) -> Result<Option<u64>, FrameError> {
    let header = Header::read(frame).ok_or(FrameError::Damaged)?;
    let max = max as u64;
    if header.content.is_some_and(|content| content > max) || header.window > MAX_WINDOW.max(max) {
        return Err(FrameError::TooLarge);
    }
    Ok(header.content)
}
