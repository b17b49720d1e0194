//! The original bytes of games in their source, if they were kept.

use rusqlite::OptionalExtension;

use crate::archive::{Archive, ArchiveError};
use plybook_record::{GameId, unpacked};

impl Archive {
    /// The original bytes of a game in its source, if they were kept.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn original(&self, id: GameId) -> Result<Option<Vec<u8>>, ArchiveError> {
        if !self.is_one() {
            return self.files().ask_part_with(id, Archive::original).unwrap_or(Ok(None));
        }
        let frame: Option<Vec<u8>> = self
            .db
            .prepare_cached("SELECT text FROM original WHERE game = ?1")
            .and_then(|mut find| find.query_row([id], |row| row.get(0)).optional())
            .map_err(|error| self.db.error(error))?;
        let text = frame.map(|frame| unpacked(&frame)).transpose();
        text.map_err(|error| ArchiveError::Damaged {
            id,
            what: format!("the original text is damaged: {error}"),
        })
    }
}
