//! Output files: a new file is renamed to its final name when it is complete. Archives, sources of the same command,
//! and anything that may not be replaced are never overwritten.

mod atomic_file;
mod destination;
mod folders;
mod output;
mod protected;

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

pub use atomic_file::{AtomicFile, discard_unfinished, remove_database};
pub use destination::Destination;
pub use folders::{OutputFolder, TemporaryFolder};
pub use output::{Output, is_stdout};
pub use protected::{FileId, Protected, file_id};

/// Suffixes of the files that SQLite keeps next to a database. Next to another database, SQLite would take them for its
/// own.
pub const SATELLITES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// A file name with a suffix.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// The directory of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the directory of a new file. Only some systems support it; the others do not need it.
pub fn save_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// As many links as Linux follows.
pub(crate) const MAX_LINKS: usize = 40;

/// The real path of a file, following links even if the target does not exist.
fn real_path(path: &Path) -> std::io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match path.canonicalize() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            found => return found,
        }
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    let name = path.file_name().ok_or(std::io::ErrorKind::NotFound)?;
    Ok(folder_of(&path).canonicalize()?.join(name))
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path is a directory.
    #[error("{}: this is a directory, not a file", .0.display())]
    Folder(PathBuf),
    /// The file already exists.
    #[error("{}: the file already exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file has another role in this command.
    #[error("{}: this is {role}; choose another name", .path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// What it is.
        role: &'static str,
    },
    /// The file is a database, or one of those that SQLite keeps next to a database.
    #[error("{}: refusing to overwrite an archive or one of its files; choose another name", .0.display())]
    Database(PathBuf),
    /// The file belongs to a database in use, or was left there by another program.
    #[error("{}: the file belongs to a database that is in use or was not closed; choose another name", .0.display())]
    Log(PathBuf),
    /// Another process is writing the same file.
    #[error("{}: another plybook process is writing this file", .0.display())]
    InUse(PathBuf),
    /// The file system reports an error.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        error: std::io::Error,
    },
}

impl FileError {
    /// Wraps an error of the file system.
    fn io(path: &Path, error: impl Into<std::io::Error>) -> FileError {
        FileError::Io { path: path.to_owned(), error: error.into() }
    }
}
