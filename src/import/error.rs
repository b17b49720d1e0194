//! Errors that stop an import.

use std::path::PathBuf;

use crate::{archive::ArchiveError, files::FileError, sources::SourceError};

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A source cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The archive cannot be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// None of the sources is PGN.
    #[error("{0}: not a PGN file: no tag pairs or moves found")]
    NotPgn(String),
    /// No kind of source has a setting with this name.
    #[error("no kind of source has a setting {0:?}")]
    UnknownSetting(String),
    /// A file has two roles in the import, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file for rejected games contains something else.
    #[error("{}: the file already exists and does not contain rejected games; choose another name", .0.display())]
    NotRejects(PathBuf),
    /// The file for rejected games cannot be written.
    #[error("{}: {error}", .path.display())]
    Rejects {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        error: std::io::Error,
    },
    /// A part of a collection cannot be started or listed.
    #[error(transparent)]
    Part(Box<dyn std::error::Error + Send + Sync>),
    /// The condition cannot be checked.
    #[error("cannot check the conditions: {0}")]
    Condition(String),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// The reading thread has panicked.
    #[error("the reading thread ended unexpectedly; the games read so far are stored")]
    Reader,
}

impl ImportError {
    /// Whether the only problem is that waiting for another program timed out.
    pub fn is_patience(&self) -> bool {
        match self {
            ImportError::Archive(error) => matches!(error, ArchiveError::Busy(_) | ArchiveError::Held(_)),
            ImportError::Rejects { error, .. } => error.kind() == std::io::ErrorKind::Interrupted,
            _ => false,
        }
    }
}
