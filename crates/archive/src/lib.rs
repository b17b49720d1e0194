//! The archive, games in one SQLite file, and the output files of plybook.
//!
//! # Errors
//!
//! Every function that reads or writes an archive, here and in what builds on it, can fail because of SQLite, because of
//! the disk, or because an index is corrupt: see [`ArchiveError`](archive::ArchiveError). The section "Errors" of a function
//! has only what else can go wrong.

pub mod archive;
pub mod files;
