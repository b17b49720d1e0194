//! The archive, games in one SQLite file, and the output files of plybook.

pub mod archive;
pub mod files;
