//! The notation of moves and of complete records.
//!
//! A move names the piece and its target square; since every piece has a unique name, this is sufficient *in a known
//! position*. [`Written`] is a move in notation, [`Record`] a complete game.

/// The file extension of records, in lower case.
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
pub use written::{MoveTarget, WordError, Written};
