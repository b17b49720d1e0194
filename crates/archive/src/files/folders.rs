//! Directories that are removed when the process ends: one for several files of one command, if it was created for them
//! and stays empty; and temporary ones.

use std::{
    env::temp_dir,
    fs::{self, File},
    io,
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
pub struct TemporaryFolder {
    folder: TempDir,
    /// Locked as long as the directory is in use.
    lock: Option<File>,
}

/// The file in a directory that is locked as long as the directory is in use.
const LOCK: &str = ".lock";

impl TemporaryFolder {
    /// Creates a directory among the temporary files.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn new() -> io::Result<TemporaryFolder> {
        TemporaryFolder::begin("plybook-")
    }

    /// The same for files of one kind. If the process is killed, [`remove_abandoned`](Self::remove_abandoned) removes the
    /// directory.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn of_kind(kind: &str) -> io::Result<TemporaryFolder> {
        loop {
            let mut folder = TemporaryFolder::begin(&prefix(kind))?;
            let path = folder.path().join(LOCK);
            let lock = File::create_new(&path)?;
            // Where there are no locks, nothing is taken for abandoned. Elsewhere, another process may have locked it first,
            // and removed the directory.
            let _ = lock.lock();
            if path.exists() {
                folder.lock = Some(lock);
                return Ok(folder);
            }
        }
    }

    /// Removes the directories of one kind whose processes have ended. What cannot be removed stays, such as directories
    /// of other users.
    pub fn remove_abandoned(kind: &str) {
        let prefix = prefix(kind);
        for entry in fs::read_dir(temp_dir()).into_iter().flatten().flatten() {
            let (path, lock) = (entry.path(), entry.path().join(LOCK));
            // Opening a pipe would wait.
            let is_file = || fs::symlink_metadata(&lock).is_ok_and(|metadata| metadata.is_file());
            if entry.file_name().to_string_lossy().starts_with(&prefix) && is_file() {
                // Locked until the directory is removed.
                let lock = File::open(&lock);
                if lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok()) {
                    let _ = fs::remove_dir_all(&path);
                }
            }
        }
    }

    fn begin(prefix: &str) -> io::Result<TemporaryFolder> {
        remember(remove_folder, || {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
            let path = folder.path().to_owned();
            Ok((TemporaryFolder { folder, lock: None }, path))
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
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

fn prefix(kind: &str) -> String {
    format!("plybook-{kind}-")
}
