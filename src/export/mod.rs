//! Exports games of an archive, in order and on all cores: as PGN, as lines for engines, and as rows of tables.
//!
//! The layout of lists and tables for people is the task of `present`.

mod error;
mod games;
mod lines;
mod partitions;
mod rows;

pub use error::ExportError;
pub use games::{Export, ExportCounts, GameForm};
pub use lines::LineForm;
pub use partitions::{Partition, PartitionKey, partitions};
pub use rows::{MovesForm, PositionForm, RowsOf, export_rows};
