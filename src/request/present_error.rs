//! What can go wrong between a request and its answer.

use std::io;

use super::RequestError;
use crate::{
    archive::ArchiveError,
    codec::{DecodeError, EncodeError},
    export::ExportError,
    record::GameError,
};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PresentError {
    /// What was asked for cannot be understood.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The archive cannot be read, or has no such game.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A stored game cannot be replayed, or has no such ply.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An encoding cannot hold what it was asked to.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A code means nothing in its encoding.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A text that is no arrow or circle.
    #[error(
        "`{0}` is no arrow or circle: an arrow is a colour (G, R, Y or B) and two squares, Ge2e4; a circle a colour and one, Rd5"
    )]
    Shape(String),
    /// A text that is not the name of a theme.
    #[error("{0:?} is not a theme of boards: these are brown and print")]
    Theme(String),
    /// There is no memory for a picture.
    #[error("there is no memory for a picture of this size")]
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
