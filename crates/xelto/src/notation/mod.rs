//! The notation of moves and of whole records.
//!
//! A move names the piece and the square it goes to; as every piece is the only one of its name, that is all
//! it takes *in a known position*. [`Written`] is a move as it is written, [`Record`] a whole game.

/// The ending of the names of files with records, in small letters.
pub const FILE_ENDING: &str = ".xelto";

mod error;
mod line;
mod read;
mod record;
mod resolve;
mod written;

pub use error::{Problem, RecordError};
pub use line::{LineKind, looks_like_record};
pub use record::{Header, Record};
pub use resolve::IllegalMove;
pub use written::{Target, WordError, Written};
