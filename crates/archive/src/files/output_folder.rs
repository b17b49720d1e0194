//! A directory for several files of one command. If it was created for them and stays empty, it is removed.

use std::{
    fs, io,
    path::{Path, PathBuf, is_separator},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{FileError, Output, Protected};

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

    /// Begins a file in it, like [`Output::create`].
    ///
    /// # Errors
    /// It cannot be written, or must not be.
    pub fn create(&self, name: &str, force: bool, protected: &Protected) -> Result<Output, FileError> {
        Output::create(&self.path.join(name), force, protected)
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
