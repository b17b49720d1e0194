//! Why a file is not written.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::Role;

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A folder where a file should be.
    #[error("{}: this is a directory, not a file", .0.display())]
    Folder(PathBuf),
    /// The file is there already.
    #[error("{}: the file already exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file has another role in this run.
    #[error("{}: this is {role}; choose another name", .path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// Its role.
        role: Role,
    },
    /// The file is a database, or one of those that SQLite keeps beside a database.
    #[error("{}: refusing to overwrite an archive or one of its files; choose another name", .0.display())]
    Database(PathBuf),
    /// Something was left beside the name by another program, or belongs to one that is at work.
    #[error("{}: the file belongs to a database that is in use or was not closed; choose another name", .0.display())]
    Log(PathBuf),
    /// Another run is about to make the same file.
    #[error("{}: another plybook process is writing this file", .0.display())]
    InUse(PathBuf),
    /// The file system says no.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        #[source]
        error: io::Error,
    },
}

impl FileError {
    /// What the file system says of a file.
    pub(super) fn io(path: &Path, error: impl Into<io::Error>) -> FileError {
        FileError::Io { path: path.to_owned(), error: error.into() }
    }
}
