//! Why a file cannot be written.

use std::{
    io,
    path::{Path, PathBuf},
};

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
        error: io::Error,
    },
}

impl FileError {
    /// Wraps an error of the file system.
    pub(super) fn io(path: &Path, error: impl Into<io::Error>) -> FileError {
        FileError::Io { path: path.to_owned(), error: error.into() }
    }
}
