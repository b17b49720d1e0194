//! Games on their way out of an archive, many at a time on all cores and in their order: as PGN, as lines for engines,
//! and as rows of tables.
//!
//! Nothing here is laid out for people: what a list or a table looks like is for `present` to say.

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
