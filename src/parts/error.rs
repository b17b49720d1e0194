//! Why a collection in parts cannot be read or changed.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{archive::ArchiveError, files::FileError, import::ImportError};

/// Why a collection in parts cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// The directory has no catalogue.
    #[error("{}: the directory has no catalogue of parts", .0.display())]
    NoCatalogue(PathBuf),
    /// The directory has no archive named like a part.
    #[error("{}: the directory has no parts (archives named part-0001.db, part-0002.db and so on)", .0.display())]
    NoParts(PathBuf),
    /// The catalogue is invalid.
    #[error("{}: the catalogue is damaged: {what}", .path.display())]
    Damaged {
        /// The catalogue.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A newer version wrote the catalogue.
    #[error("{}: the catalogue was written by a newer version of plybook (format {format}); update plybook", .path.display())]
    Newer {
        /// The catalogue.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// A listed part does not exist.
    #[error("{}: the part is listed in the catalogue, but the file is missing", .0.display())]
    Missing(PathBuf),
    /// A part differs from its entry in the catalogue.
    #[error("{}: the part differs from its entry in the catalogue: {what}", .path.display())]
    Other {
        /// The part.
        path: PathBuf,
        /// What is different.
        what: String,
    },
    /// The target for the parts is a file.
    #[error("{}: this is a file, not a directory of parts", .0.display())]
    NotAFolder(PathBuf),
    /// The directory already has parts.
    #[error("{}: the directory already has parts; choose another one", .0.display())]
    NotEmpty(PathBuf),
    /// Another program holds the lock of the catalogue.
    #[error("{}: another plybook process is changing this collection", .0.display())]
    InUse(PathBuf),
    /// The archive cannot be copied, and so cannot be split.
    #[error("{}: {what}", .path.display())]
    Unsound {
        /// The archive.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The command was cancelled.
    #[error("stopped; the work done so far is kept")]
    Stopped,
    /// An archive cannot be read or written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The import into a part failed.
    #[error(transparent)]
    Import(#[from] ImportError),
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

impl PartsError {
    /// Why a directory cannot be created.
    pub(super) fn of_folder(dir: &Path, error: io::Error) -> PartsError {
        if dir.is_file() { PartsError::NotAFolder(dir.to_owned()) } else { PartsError::io(dir, error) }
    }

    /// Wraps an error of the file system.
    pub(super) fn io(path: &Path, error: io::Error) -> PartsError {
        PartsError::Io { path: path.to_owned(), error }
    }
}
