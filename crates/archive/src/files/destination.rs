//! What exists at a path that is to be written.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    path::{Path, PathBuf, is_separator},
};

use super::{AtomicFile, FileError, Protected, SATELLITES, beside, real_path};

/// The first bytes of every SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// What exists at a path. Links in it are resolved: output replaces the file that a link points to, not the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Nothing yet.
    New(PathBuf),
    /// A regular file.
    File(PathBuf),
    /// A database.
    Database(PathBuf),
    /// A device or a pipe, which is written to directly.
    Stream(PathBuf),
}

impl Destination {
    /// Checks a path.
    ///
    /// # Errors
    /// It is a directory, a protected file, or a file that SQLite keeps next to a database, or it cannot be accessed.
    pub fn of(path: &Path, protected: &Protected) -> Result<Destination, FileError> {
        let error = |error| FileError::io(path, error);
        let metadata = match fs::metadata(path) {
            Err(missing) if missing.kind() == ErrorKind::NotFound => None,
            found => Some(found.map_err(error)?),
        };
        let ends_as_folder = path.to_string_lossy().ends_with(is_separator);
        if metadata.as_ref().map_or(ends_as_folder, fs::Metadata::is_dir) {
            return Err(FileError::Folder(path.to_owned()));
        }
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(Destination::Stream(path.to_owned()));
        }
        // Check before opening it: closing a file releases all locks that this process holds on it.
        if let Some(role) = protected.role(path) {
            return Err(FileError::Taken { path: path.to_owned(), role });
        }
        let real = real_path(path).map_err(error)?;
        if is_satellite(&real) {
            return Err(FileError::Database(path.to_owned()));
        }
        Ok(match metadata {
            None => Destination::New(real),
            Some(_) if is_database(&real).map_err(error)? => Destination::Database(real),
            Some(_) => Destination::File(real),
        })
    }

    /// Begins a file that will appear at this path, under its original name; it replaces a regular file if `force` is
    /// given.
    ///
    /// # Errors
    /// A file already exists there, or the directory is not writable.
    pub fn begin(self, name: &Path, force: bool) -> Result<AtomicFile, FileError> {
        match self {
            Destination::New(path) => AtomicFile::new(name, path, false),
            Destination::File(path) if force => AtomicFile::new(name, path, true),
            Destination::File(_) | Destination::Stream(_) => Err(FileError::Exists(name.to_owned())),
            Destination::Database(_) => Err(FileError::Database(name.to_owned())),
        }
    }
}

/// Whether a name is that of a file which SQLite keeps next to a database.
fn is_satellite(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let database = SATELLITES.iter().find_map(|end| name.strip_suffix(end));
    database.is_some_and(|name| is_database(&path.with_file_name(name)).unwrap_or(false))
}

/// Whether a file is a database, or may be one that is being created: empty, with a journal next to it.
fn is_database(path: &Path) -> std::io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut begin = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut begin)?;
    let in_the_making = || SATELLITES.iter().any(|end| beside(path, end).exists());
    Ok(begin == MAGIC || begin.is_empty() && in_the_making())
}
