//! The archive, games in one SQLite file, and the files that are written beside it.

pub mod archive;
pub mod files;
