//! The bytes of games as they stood in their source. They are kept where the text was not UTF-8 or had to be
//! repaired, so that nothing of it is lost.

use std::io::{self, Read};

use rusqlite::OptionalExtension;

use super::{Archive, ArchiveError, GameId};
use crate::limits::MAX_GAME_BYTES;

/// How hard zstd tries.
const LEVEL: i32 = 3;

/// Bits of the largest window of a frame, which is memory that is taken before anything is unpacked.
const LARGEST_WINDOW: u32 = 24;

/// A zstd frame with a checksum.
pub(super) fn packed(text: &[u8]) -> Vec<u8> {
    // Writing to memory cannot fail.
    let pack = || {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        io::Write::write_all(&mut encoder, text)?;
        encoder.finish()
    };
    pack().unwrap_or_default()
}

pub(super) fn unpacked(frame: &[u8]) -> io::Result<Vec<u8>> {
    let (mut text, mut decoder) = (Vec::new(), zstd::Decoder::new(frame)?);
    // The window that `packed` uses is smaller.
    decoder.window_log_max(LARGEST_WINDOW)?;
    decoder.take(MAX_GAME_BYTES as u64 + 1).read_to_end(&mut text)?;
    // Of a longer one the checksum has not been reached.
    if text.len() > MAX_GAME_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

impl Archive {
    /// The bytes of a game as they stood in its source, if they were kept.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>, ArchiveError> {
        let frame: Option<Vec<u8>> = self
            .db
            .prepare_cached("SELECT text FROM original WHERE game = ?1")
            .and_then(|mut find| find.query_row([id], |row| row.get(0)).optional())
            .map_err(|error| self.error(error))?;
        let text = frame.map(|frame| unpacked(&frame)).transpose();
        text.map_err(|error| ArchiveError::Damaged {
            id,
            what: format!("its original text is damaged: {error}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_original_larger_than_any_game_is_damage() {
        let text = |bytes| vec![b'x'; bytes];
        assert_eq!(unpacked(&packed(&text(MAX_GAME_BYTES))).ok(), Some(text(MAX_GAME_BYTES)));
        assert!(unpacked(&packed(&text(MAX_GAME_BYTES + 1))).is_err());
    }
}
