//! plybook keeps chess games: each game is one integer (the indices of its moves among the legal moves, in
//! mixed radix, closed by an End marker), stored in a SQLite file, and any position of any game is given
//! back at once.

// Where people read, text from outside is shown escaped: see `printable`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "archive")]
pub mod archive;
pub mod bits;
pub mod chess;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codec;
pub mod counts;
#[cfg(feature = "archive")]
pub mod files;
#[cfg(feature = "pgn")]
pub mod generate;
#[cfg(feature = "archive")]
pub mod import;
pub mod limits;
#[cfg(feature = "pgn")]
pub mod pgn;
#[cfg(feature = "archive")]
pub mod present;
#[cfg(feature = "archive")]
mod printable;
pub mod proofgame;
#[cfg(feature = "archive")]
pub mod query;
pub mod record;
pub mod rules;
#[cfg(feature = "sources")]
pub mod sources;
#[cfg(feature = "archive")]
pub mod stats;
pub mod xelto;
