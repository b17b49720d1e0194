//! A temporary folder that goes with the process, however that ends.

use std::{fs, io, path::Path};

use tempfile::TempDir;

use super::unfinished::{forget, remember};

/// A folder for a copy. It is removed when this is dropped, and by
/// [`discard_unfinished`](super::discard_unfinished).
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Makes a folder in that of temporary files.
    ///
    /// # Errors
    /// The file system's.
    pub fn new() -> io::Result<TemporaryFolder> {
        remember(|| {
            let folder = tempfile::Builder::new().prefix("plybook-").tempdir()?;
            let path = folder.path().to_owned();
            Ok((TemporaryFolder(folder), path))
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Removes the folder while its files are still open, where the system allows that.
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
