//! A temporary directory that is removed when the process ends, for whatever reason.

use std::{fs, io, path::Path};

use tempfile::TempDir;

use super::atomic_file::{forget, remember};

/// A directory for a copy. It is removed on drop, and by [`discard_unfinished`](super::discard_unfinished).
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates a directory among the temporary files.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn new() -> io::Result<TemporaryFolder> {
        remember(|| {
            let folder = tempfile::Builder::new().prefix("plybook-").tempdir()?;
            let path = folder.path().to_owned();
            Ok((TemporaryFolder(folder), path))
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Removes the directory while its files are still open, where the system allows that.
    pub fn unlink(&self) {
        let _ = fs::remove_dir_all(self.path());
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        self.unlink();
        forget(self.path());
    }
}
