//! Directories that are removed when the process ends: one for several files of one command, if it was created for them
//! and stays empty; and temporary ones.

use std::{
    fs, io,
    path::{Path, PathBuf, is_separator},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempDir;

use super::{
    FileError,
    atomic_file::{forget, remember},
};

/// Directories that this process created and that are still empty.
static EMPTY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An output directory.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
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
        let mut empty = empty();
        match fs::create_dir(path) {
            Ok(()) => empty.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            Err(error) => return Err(FileError::io(path, error)),
        }
        Ok(OutputFolder { path: path.to_owned() })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        let mut empty = empty();
        if let Some(place) = empty.iter().position(|path| *path == self.path) {
            // If it is not empty, it stays.
            let _ = fs::remove_dir(empty.swap_remove(place));
        }
    }
}

/// Removes created directories that are still empty before the process exits.
pub(super) fn remove_empty_folders() {
    let mut empty = empty();
    for path in empty.drain(..) {
        let _ = fs::remove_dir(path);
    }
    // Keeps the lock, so that none can be created any more.
    std::mem::forget(empty);
}

fn empty() -> MutexGuard<'static, Vec<PathBuf>> {
    EMPTY.lock().unwrap_or_else(PoisonError::into_inner)
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
