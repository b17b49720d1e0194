//! A collection in parts: a directory of archives with a catalogue that describes each of them.
//!
//! A part is an ordinary archive. It is listed when it is complete, and does not change afterwards, unless games of it
//! turn out to come from damaged data; its number is one more than that of the last listed part. So a game of the collection has a stable number: its id in its part plus the
//! last ids of all earlier parts.

mod catalogue;
mod error;
mod filter;
mod import;
mod known;
mod lock;
mod merge;
mod named;
mod part;
mod split;
mod take_back;
mod unfinished;

pub use catalogue::Catalogue;
pub use error::PartsError;
pub use import::{PartsReport, import_into_parts};
pub use merge::{archives_of, merge};
pub use named::archive_paths;
pub use part::{Part, PartSource};
pub use split::{Cut, split};
