//! Errors between a request and its answer.

use std::io;

use super::RequestError;
use crate::{
    archive::ArchiveError,
    codec::{DecodeError, EncodeError},
    export::ExportError,
    record::GameError,
};

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PresentError {
    /// The request is invalid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The archive cannot be read, or has no such game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A stored game cannot be replayed, or has no such ply.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An encoding cannot represent the value.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A code is invalid in its encoding.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An invalid arrow or circle.
    #[error(
        "invalid shape `{0}`; an arrow is a colour (G, R, Y or B) and two squares, such as Ge2e4; a circle is a colour and one square, such as Rd5"
    )]
    Shape(String),
    /// An unknown theme.
    #[error("unknown theme {0:?}; use brown or print")]
    Theme(String),
    /// Not enough memory for an image.
    #[error("not enough memory for an image of this size")]
    Picture,
    /// The answer cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl From<ExportError> for PresentError {
    fn from(error: ExportError) -> PresentError {
        match error {
            ExportError::Archive(error) => error.into(),
            ExportError::Game(error) => error.into(),
            ExportError::Write(error) => error.into(),
        }
    }
}
