//! Reads the databases of ChessBase 6 and later: `.cbh` with its other files, and archives of them (`.cbv`).
//!
//! [`Database`] returns the bytes of each game in all files, and [`RawRecord::decode`] makes a game of them, on any
//! thread. Every move is checked by the rules of chess.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod annotations;
mod bytes;
mod cbv;
mod clock;
mod comments;
mod database;
mod file;
mod game;
mod guiding;
mod header;
mod move_code;
mod moves;
mod names;
mod nations;
mod pieces;
mod quotation;
mod start;
mod tables;
mod tags;
mod text;
mod training;
mod tree;
mod values;
mod wide_file;

pub use cbv::{ArchiveEntry, ArchiveError, CbvArchive, is_cbv};
pub use database::{Damage, Database, EXTENSIONS, OpenError, RawRecord};
pub use file::Data;
pub use game::{DecodeOptions, DecodedGame, Remark};
pub use guiding::GuidingText;
pub use header::RecordKind;
pub use text::TextEncoding;

/// Whether a file with these first bytes holds the headers of a database.
pub fn is_database(beginning: &[u8]) -> bool {
    header::is_header(beginning)
}
