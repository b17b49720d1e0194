//! Reading a consistent state of an archive.

use crate::archive::{Archive, ArchiveError, ArchiveFile};

/// While this exists, a connection sees the archive as it was when the snapshot was taken, whatever is written
/// meanwhile. An index and its games must be read in one snapshot, because `index` and imports replace segments.
#[derive(Debug)]
#[must_use = "the snapshot ends when this value is dropped"]
// To be held briefly: as long as a snapshot exists, the log of a writer cannot be truncated.
pub struct Snapshot<'a>(Vec<ArchiveFile<'a>>);

impl Archive {
    /// Takes a snapshot of the archive. Within another snapshot of the connection, it is the same one.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, ArchiveError> {
        let mut snapshot = Snapshot(Vec::new());
        for file in self.begun() {
            snapshot.0.push(file?);
        }
        Ok(snapshot)
    }

    /// Takes a snapshot that lasts until the archive is closed.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn at_this_moment(self) -> Result<Archive, ArchiveError> {
        self.begun().try_for_each(|file| file.map(drop))?;
        Ok(self)
    }

    /// Begins a transaction in each file without one, and returns these files.
    fn begun(&self) -> impl Iterator<Item = Result<ArchiveFile<'_>, ArchiveError>> {
        let files = self.files().all().filter(|file| file.lock().db.is_autocommit());
        files.map(|file| file.lock().db.run("BEGIN").map(|()| file))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        for archive in self.0.iter().map(|file| file.lock()).filter(|archive| !archive.db.is_autocommit()) {
            // Nothing was written; if ending it fails, closing the connection ends it.
            let _ = archive.db.run("ROLLBACK");
        }
    }
}
