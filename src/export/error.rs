//! Errors of an export.

use std::io;

use crate::{archive::ArchiveError, record::GameError};

/// Why an export, or one game of it, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A stored game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The games cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}
