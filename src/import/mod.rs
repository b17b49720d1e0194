//! Importing PGN, and records of Xelto: read → parse and encode on all cores → one writer.
//!
//! The archive does not depend on the number of threads: games are cut by one reader in order, and written
//! by one writer in the same order.

mod archives;
mod budget;
mod error;
mod form;
mod options;
mod outlet;
mod parse;
mod pipeline;
mod protect;
mod records;
mod rejects;
mod report;
mod resume;
mod stamp;
mod store;

pub use error::ImportError;
pub use options::{Options, Progress};
pub use pipeline::{import_paths, import_with_progress};
pub use report::{Report, Trouble};
pub use resume::{How, Met};
