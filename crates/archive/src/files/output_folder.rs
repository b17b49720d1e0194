//! A folder that takes several files of one run. One that is made for them goes again if they do not come.

use std::{
    fs, io,
    path::{Path, PathBuf, is_separator},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{FileError, Output, Protected};

/// Folders that this process has made and put nothing in yet.
static EMPTY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that is written into.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
}

impl OutputFolder {
    /// Whether a name is that of a folder: there is one, or the name ends as that of one.
    pub fn is_named(path: &Path) -> bool {
        path.to_string_lossy().ends_with(is_separator) || path.is_dir()
    }

    /// The folder of a name, which is made if it is not there; the folder that it is in must be.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(path: &Path) -> Result<OutputFolder, FileError> {
        let mut empty = empty();
        match fs::create_dir(path) {
            Ok(()) => empty.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            Err(error) => return Err(FileError::io(path, error)),
        }
        Ok(OutputFolder { path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a file in it, as [`Output::create`] does.
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
            // Where something is in it, it stays.
            let _ = fs::remove_dir(empty.swap_remove(place));
        }
    }
}

/// Removes what has been made and is still empty, before the process ends.
pub(super) fn remove_empty_folders() {
    let mut empty = empty();
    for path in empty.drain(..) {
        let _ = fs::remove_dir(path);
    }
    // None can be made any more.
    std::mem::forget(empty);
}

fn empty() -> MutexGuard<'static, Vec<PathBuf>> {
    EMPTY.lock().unwrap_or_else(PoisonError::into_inner)
}
