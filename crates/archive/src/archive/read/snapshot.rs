//! Reading an archive as it is at one moment.

use crate::archive::{Archive, ArchiveError, ArchiveFile};

/// While this is kept, a connection sees the archive as it was when it was asked for, whatever is written meanwhile. An
/// index and the games that it speaks of have to be read so: `index` and imports put new segments in the place of others.
#[derive(Debug)]
#[must_use = "the snapshot ends when this value is dropped"]
pub struct Snapshot<'a>(Vec<ArchiveFile<'a>>);

impl Archive {
    /// The archive as it is now. Within another snapshot of the connection it is that one.
    ///
    /// # Errors
    /// SQLite's.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, ArchiveError> {
        let mut snapshot = Snapshot(Vec::new());
        for file in self.begun() {
            snapshot.0.push(file?);
        }
        Ok(snapshot)
    }

    /// The archive as it is now, until it is closed.
    ///
    /// # Errors
    /// SQLite's.
    pub fn at_this_moment(self) -> Result<Archive, ArchiveError> {
        self.begun().try_for_each(|file| file.map(drop))?;
        Ok(self)
    }

    /// Begins a transaction in each file that has none, and gives these files.
    fn begun(&self) -> impl Iterator<Item = Result<ArchiveFile<'_>, ArchiveError>> {
        let files = self.files().all().filter(|file| file.lock().db.is_autocommit());
        files.map(|file| file.lock().db.run("BEGIN").map(|()| file))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        for archive in self.0.iter().map(|file| file.lock()).filter(|archive| !archive.db.is_autocommit()) {
            // Nothing was written; a connection that cannot end it is closed with its program.
            let _ = archive.db.run("ROLLBACK");
        }
    }
}
