//! Exports games of an archive, in order and on all cores: as PGN, as lines for engines, and as rows of tables.
//!
//! The layout of lists and tables for people is the task of `present`.

mod games;
mod lines;
mod partitions;
mod rows;
mod scid;

pub use games::{Export, ExportCounts, GameForm, GameFormat};
pub use lines::LineForm;
pub use partitions::{Partition, PartitionKey, partitions};
pub use rows::{MovesForm, PositionForm, RowsOf, export_rows};
pub use scid::{ScidCounts, export_scid};

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

/// A game, the reason why it is not exported, or an error that ends the export.
type Read<T> = Result<Result<T, ExportError>, ExportError>;

/// Separates a damaged game, which is skipped, from an error that ends the export.
fn or_damaged<T>(game: Result<T, ArchiveError>) -> Read<T> {
    match game {
        Err(error @ ArchiveError::Damaged { .. }) => Ok(Err(error.into())),
        game => game.map(Ok).map_err(ExportError::from),
    }
}
