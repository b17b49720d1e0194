//! A file in the making: it is written beside its place, and takes it when it is whole. Whatever ends it before,
//! an error, a panic or a signal, nothing is left; what a killed process leaves has a name that says what it is,
//! and the next run that makes the same file clears it away.

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

/// What is added to the name until the file is whole.
const PART: &str = ".plybook-part";

/// How often it is tried to remove a folder that is still written to, and how long it is waited in between.
const TRIES: usize = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// All that this process has begun and not ended.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file in the making.
#[derive(Debug)]
pub struct UnfinishedFile {
    /// What its user calls it.
    name: PathBuf,
    /// Where it is written.
    path: PathBuf,
    /// Where it will stand.
    to: PathBuf,
    replaces: bool,
    /// Holds the lock that keeps other runs from this file.
    file: File,
}

impl UnfinishedFile {
    /// Begins a file. `replaces`: it takes the place of another one, with its permissions.
    pub(super) fn new(name: &Path, to: PathBuf, replaces: bool) -> Result<UnfinishedFile, FileError> {
        let path = beside(&to, PART);
        let mut unfinished = unfinished();
        clear_away(&path, name)?;
        let created = OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        let file = created.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => FileError::InUse(name.to_owned()),
            _ => FileError::io(name, error),
        })?;
        if !can_lock(&file) || !is_at(&file, &path) {
            // What stands there now is another run's.
            return Err(FileError::InUse(name.to_owned()));
        }
        unfinished.push(path.clone());
        Ok(UnfinishedFile { name: name.to_owned(), path, to, replaces, file })
    }

    /// Where it is written until it is whole.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it will stand.
    pub fn to(&self) -> &Path {
        &self.to
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the whole file where it belongs.
    ///
    /// # Errors
    /// It cannot be made durable, or something else has come to stand there in the meantime.
    pub fn keep(self) -> Result<(), FileError> {
        UnfinishedFile::keep_all(vec![self])
    }

    /// Puts whole files where they belong, all of them: no signal ends the process in between. After an error none stands
    /// where nothing was before.
    ///
    /// # Errors
    /// As those of [`keep`](UnfinishedFile::keep).
    pub fn keep_all(files: Vec<UnfinishedFile>) -> Result<(), FileError> {
        files.iter().try_for_each(UnfinishedFile::save)?;
        let mut unfinished = unfinished();
        for (place, file) in files.iter().enumerate() {
            if let Err(error) = file.put() {
                for put in files.iter().take(place).filter(|put| !put.replaces) {
                    let _ = fs::remove_file(&put.to);
                }
                return Err(error);
            }
            unfinished.retain(|path| *path != file.path);
        }
        drop(unfinished);
        files.iter().for_each(|file| save_folder(&file.to));
        Ok(())
    }

    /// Makes the file durable, under the name that it is written under.
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

    /// Gives the file its name.
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

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        // Otherwise it is kept, and a file of its name is another run's.
        if let Some(place) = unfinished.iter().position(|path| *path == self.path) {
            unfinished.swap_remove(place);
            remove(&self.path);
        }
    }
}

/// Makes something that is not to outlive the process; gives it with the path that is to go.
pub(super) fn remember<T>(make: impl FnOnce() -> io::Result<(T, PathBuf)>) -> io::Result<T> {
    let mut unfinished = unfinished();
    let (made, path) = make()?;
    unfinished.push(path);
    Ok(made)
}

/// What has gone by itself.
pub(super) fn forget(path: &Path) {
    unfinished().retain(|unfinished| unfinished != path);
}

/// Removes all that this process has begun and not ended. Nothing can be begun or kept any more.
pub(super) fn discard_all() {
    let unfinished = unfinished();
    unfinished.iter().for_each(|path| discard(path));
    std::mem::forget(unfinished);
}

fn discard(path: &Path) {
    if !path.is_dir() {
        return remove(path);
    }
    // Something may still be written into it.
    for _ in 0..TRIES {
        if fs::remove_dir_all(path).is_ok() || !path.exists() {
            break;
        }
        sleep(PAUSE);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a file to the owner of the one that it replaces, where that is allowed.
#[cfg(unix)]
fn set_owner(file: &File, metadata: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn set_owner(_: &File, _: &Metadata) {}

/// Removes what a killed process has left.
fn clear_away(path: &Path, name: &Path) -> Result<(), FileError> {
    let left = match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(FileError::Exists(path.to_owned())),
        Ok(_) => Some(File::open(path).map_err(|error| FileError::io(path, error))?),
        Err(_) => None,
    };
    // It is locked until it is gone: another run that has just begun it may not have locked it yet.
    if left.as_ref().is_some_and(|left| !can_lock(left)) {
        return Err(FileError::InUse(name.to_owned()));
    }
    remove(path);
    drop(left);
    Ok(())
}

/// Whether a file is still the one of its name: another run may have taken it for one that was left.
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

/// Locks a file for this process; false if another one has it.
fn can_lock(file: &File) -> bool {
    // Where a lock keeps even its own process from reading (Windows) there is none, nor where there are none.
    !cfg!(unix) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes a part, and what SQLite keeps beside one that is a database.
fn remove(path: &Path) {
    for path in SATELLITES.map(|end| beside(path, end)) {
        let _ = fs::remove_file(path);
    }
    let _ = fs::remove_file(path);
}
