//! Rebuilding the file of an archive, which leaves out free space.

use rusqlite::limits::Limit;

use crate::archive::{Archive, Result};

impl Archive {
    /// Rebuilds the file, completely or not at all.
    pub(in crate::archive) fn rebuild_file(&self) -> Result<()> {
        self.db.attempt(|db| {
            // VACUUM attaches a temporary database.
            let most = db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
            let written = db.execute_batch("VACUUM");
            db.set_limit(Limit::SQLITE_LIMIT_ATTACHED, most)?;
            written
        })
    }
}
