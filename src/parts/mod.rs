//! A collection in parts: a folder of archives with a catalogue, which says what is in each.
//!
//! A part is an archive like any other. It is listed when it is whole, and never changed from then on; its number is one
//! more than that of the part listed before. So a game of the collection has a number that stays: its id in its
//! part, and the last ids of the parts before added to it.

mod catalogue;
mod error;
mod filter;
mod import;
mod index;
mod known;
mod lock;
mod merge;
mod named;
mod part;
mod split;
mod unfinished;

pub use catalogue::Catalogue;
pub use error::PartsError;
pub use import::{PartsReport, import_into_parts};
pub use known::KnownGames;
pub use merge::{archives_of, merge};
pub use named::archive_paths;
pub use part::{Part, PartSource};
pub use split::{Cut, split};
