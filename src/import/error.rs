//! What stops an import.

use std::path::PathBuf;

use crate::{archive::ArchiveError, files::FileError, sources::SourceError};

/// Why an import could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// A source cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The archive cannot be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Nothing in the sources is PGN.
    #[error("{0}: not a PGN file: no tag pairs or moves found")]
    NotPgn(String),
    /// A file has two parts in the import, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file for rejected games has something else in it.
    #[error("{}: the file already exists and does not contain rejected games; choose another name", .0.display())]
    NotRejects(PathBuf),
    /// The file for rejected games cannot be written.
    #[error("{}: {error}", .path.display())]
    Rejects {
        /// The file.
        path: PathBuf,
        /// What the file system says.
        #[source]
        error: std::io::Error,
    },
    /// A part of a collection cannot be begun or listed.
    #[error(transparent)]
    Part(Box<dyn std::error::Error + Send + Sync>),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// The thread that reads has ended before its time.
    #[error("the reading thread ended unexpectedly; the games read so far are stored")]
    Reader,
}

impl ImportError {
    /// Whether it is only that another program has been waited for in vain.
    pub fn is_patience(&self) -> bool {
        match self {
            ImportError::Archive(error) => matches!(error, ArchiveError::Busy(_) | ArchiveError::Held(_)),
            ImportError::Rejects { error, .. } => error.kind() == std::io::ErrorKind::Interrupted,
            _ => false,
        }
    }
}
