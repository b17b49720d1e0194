//! What can go wrong when a request is about an archive.

use super::RequestError;
use crate::{archive::ArchiveError, record::GameError};

/// Why a request about an archive cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// It cannot be understood.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The archive cannot be read, or has no such game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A stored game cannot be replayed, or has no such ply.
    #[error(transparent)]
    Game(#[from] GameError),
}
