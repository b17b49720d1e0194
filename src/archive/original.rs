//! The bytes of games as they stood in their source. They are kept where the text was not UTF-8 or had to be
//! repaired, so that nothing of it is lost.

use rusqlite::OptionalExtension;

use super::{Archive, ArchiveError, GameId};
use crate::{
    codec::zstd_frame::{FrameError, Unpacker, pack_with_checksum},
    limits::MAX_GAME_BYTES,
};

/// How hard zstd tries.
const LEVEL: i32 = 3;

/// A zstd frame with a checksum.
pub(super) fn packed(text: &[u8]) -> Vec<u8> {
    // Writing to memory cannot fail.
    pack_with_checksum(text, LEVEL).unwrap_or_default()
}

pub(super) fn unpacked(frame: &[u8]) -> Result<Vec<u8>, FrameError> {
    Unpacker::new(&[]).unpack(frame, MAX_GAME_BYTES)
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
