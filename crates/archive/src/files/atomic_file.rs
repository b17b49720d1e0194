//! A temporary file that is renamed to its final name when it is complete. If it is not completed because of an error,
//! a panic or a signal, it is removed; a file left by a killed process has a recognizable name, and the next process
//! that writes the same file removes it.

use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::sleep,
    time::Duration,
};

use tempfile::TempPath;

use super::{FileError, SATELLITES, beside, save_folder};

/// Suffix of the temporary file.
// In the directory of the final file, because a rename is atomic only within one file system.
const PART: &str = ".plybook-part";

/// How often to retry removing a directory that is still written to, and how long to wait in between.
const TRIES: usize = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// All temporary files and directories of this process, and output directories that it created, in the order in which
/// they were created.
static UNFINISHED: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

/// What must be removed if the process ends now, and how.
struct Unfinished {
    path: PathBuf,
    remove: fn(&Path),
}

/// A temporary file that will become another file.
#[derive(Debug)]
pub struct AtomicFile {
    /// The name given by the user.
    name: PathBuf,
    /// The path of the temporary file.
    pub path: PathBuf,
    /// The final path.
    pub to: PathBuf,
    replaces: bool,
    /// Holds the lock that excludes other processes.
    pub(super) file: File,
}

impl AtomicFile {
    /// Begins a file. `replaces`: it replaces an existing file and takes its permissions.
    pub(super) fn new(name: &Path, to: PathBuf, replaces: bool) -> Result<AtomicFile, FileError> {
        let path = beside(&to, PART);
        let mut unfinished = unfinished();
        clear_away(&path, name)?;
        let created = OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        let file = created.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => FileError::InUse(name.to_owned()),
            _ => FileError::io(name, error),
        })?;
        if !can_lock(&file) || !is_at(&file, &path) {
            // The file there now belongs to another process.
            return Err(FileError::InUse(name.to_owned()));
        }
        unfinished.push(Unfinished { path: path.clone(), remove: remove_database });
        Ok(AtomicFile { name: name.to_owned(), path, to, replaces, file })
    }

    /// Renames the complete file to its final path.
    ///
    /// # Errors
    /// It cannot be synced, or another file has been created there in the meantime.
    pub fn keep(self) -> Result<(), FileError> {
        AtomicFile::keep_all(vec![self])
    }

    /// Renames several complete files, all of them: no signal ends the process in between. After an error, files that
    /// are new at their path are removed again.
    ///
    /// # Errors
    /// The same as [`keep`](AtomicFile::keep).
    pub fn keep_all(files: Vec<AtomicFile>) -> Result<(), FileError> {
        files.iter().try_for_each(AtomicFile::save)?;
        let mut unfinished = unfinished();
        for (place, file) in files.iter().enumerate() {
            if let Err(error) = file.put() {
                for put in files.iter().take(place).filter(|put| !put.replaces) {
                    let _ = fs::remove_file(&put.to);
                }
                return Err(error);
            }
            unfinished.retain(|one| one.path != file.path);
        }
        drop(unfinished);
        files.iter().for_each(|file| save_folder(&file.to));
        Ok(())
    }

    /// Syncs the temporary file.
    fn save(&self) -> Result<(), FileError> {
        let error = |error| FileError::io(&self.name, error);
        if self.replaces
            && let Ok(metadata) = fs::metadata(&self.to)
        {
            set_owner(&self.file, &metadata);
            self.file.set_permissions(metadata.permissions()).map_err(error)?;
        }
        self.file.sync_all().map_err(error)
    }

    /// Renames the file.
    fn put(&self) -> Result<(), FileError> {
        let error = |error| FileError::io(&self.name, error);
        let part = TempPath::try_from_path(&self.path).map_err(error)?;
        let put = if self.replaces { part.persist(&self.to) } else { part.persist_noclobber(&self.to) };
        put.map_err(|put| match put.error.kind() {
            ErrorKind::AlreadyExists => FileError::Exists(self.name.clone()),
            _ => error(put.error),
        })
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        discard(&self.path);
    }
}

/// Creates something at a path that must be removed when the process ends, with the function that removes it.
pub(super) fn remember<T>(
    remove: fn(&Path),
    make: impl FnOnce() -> io::Result<(T, PathBuf)>,
) -> io::Result<T> {
    let mut unfinished = unfinished();
    let (made, path) = make()?;
    unfinished.push(Unfinished { path, remove });
    Ok(made)
}

/// Removes something unless it is unregistered: then it was kept, and a file with its temporary name belongs to another
/// process.
pub(super) fn discard(path: &Path) {
    let mut unfinished = unfinished();
    if let Some(place) = unfinished.iter().position(|one| one.path == path) {
        (unfinished.remove(place).remove)(path);
    }
}

/// Removes all temporary files and directories of this process before it exits, and the empty directories that it
/// created. None can be created or kept afterwards: such calls block until the process ends.
pub fn discard_unfinished() {
    let unfinished = unfinished();
    unfinished.iter().rev().for_each(|one| (one.remove)(&one.path));
    std::mem::forget(unfinished);
}

/// Removes a directory with its files.
pub(super) fn remove_folder(path: &Path) {
    // A thread may still be writing into it.
    for _ in 0..TRIES {
        if fs::remove_dir_all(path).is_ok() || !path.exists() {
            break;
        }
        sleep(PAUSE);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a file to the owner of the one that it replaces, if allowed.
#[cfg(unix)]
fn set_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn set_owner(_: &File, _: &Metadata) {}

/// Removes the temporary file of a killed process.
fn clear_away(path: &Path, name: &Path) -> Result<(), FileError> {
    let left = match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(FileError::Exists(path.to_owned())),
        Ok(_) => Some(File::open(path).map_err(|error| FileError::io(path, error))?),
        Err(_) => None,
    };
    // Keep it locked until it is removed: another process may have just created it without having locked it yet.
    if left.as_ref().is_some_and(|left| !can_lock(left)) {
        return Err(FileError::InUse(name.to_owned()));
    }
    remove_database(path);
    drop(left);
    Ok(())
}

/// Whether a file is still at its path: another process may have removed it as abandoned.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use super::file_id;
    let of = |metadata: &Metadata| file_id(path, metadata);
    matches!((file.metadata(), fs::symlink_metadata(path)), (Ok(a), Ok(b)) if of(&a) == of(&b))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Locks a file for this process; false if another one has locked it.
fn can_lock(file: &File) -> bool {
    // On Windows a lock would also block reads by this process, so there is none; some file systems have no locks.
    !cfg!(unix) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes a file, and the files that SQLite keeps next to it if it is a database.
pub fn remove_database(path: &Path) {
    for path in SATELLITES.map(|end| beside(path, end)) {
        let _ = fs::remove_file(path);
    }
    let _ = fs::remove_file(path);
}
