//! Deleting the log of changes.

use super::{Editor, log};
use crate::archive::ArchiveError;

impl Editor {
    /// Deletes the log, so that no change can be undone any more, and shrinks the file. Returns the number of changes
    /// that were logged.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn delete_log(&mut self) -> Result<u64, ArchiveError> {
        let changes = self.archive().changes().all()?.len() as u64;
        if changes > 0 {
            self.in_transaction(log::delete)?;
        }
        self.give_pages_back()?;
        Ok(changes)
    }
}
