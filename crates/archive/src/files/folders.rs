//! Directories that are removed when the process ends: one for several files of one command, if it was created for them
//! and stays empty; and temporary ones.

use std::{
    fs, io,
    path::{Path, PathBuf, is_separator},
};

use tempfile::TempDir;

use super::{
    FileError,
    atomic_file::{discard, remember, remove_folder},
};

/// An output directory.
#[derive(Debug)]
pub struct OutputFolder {
    /// Its path.
    pub path: PathBuf,
}

impl OutputFolder {
    /// Whether a path means a directory: it is one, or ends with a separator.
    pub fn is_named(path: &Path) -> bool {
        path.to_string_lossy().ends_with(is_separator) || path.is_dir()
    }

    /// Opens a directory, which is created if it does not exist; its parent must exist.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn open(path: &Path) -> Result<OutputFolder, FileError> {
        // If it is not empty in the end, it stays.
        let remove = |path: &Path| drop(fs::remove_dir(path));
        match remember(remove, || fs::create_dir(path).map(|()| ((), path.to_owned()))) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            made => made.map_err(|error| FileError::io(path, error))?,
        }
        Ok(OutputFolder { path: path.to_owned() })
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        discard(&self.path);
    }
}

/// A directory for a copy. It is removed on drop, and by [`discard_unfinished`](super::discard_unfinished).
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates a directory among the temporary files.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn new() -> io::Result<TemporaryFolder> {
        remember(remove_folder, || {
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
        discard(self.path());
    }
}
