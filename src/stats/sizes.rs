//! The size of an archive and its parts.

use serde::Serialize;

use crate::archive::{Archive, ArchiveError};

/// The size of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArchiveSizes {
    /// The games in it.
    pub games: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Bytes per game; 0 without games.
    pub bytes_per_game: f64,
    /// The parts of the file; their sum is the size of the file.
    pub parts: Vec<SizePart>,
}

/// A part of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizePart {
    /// The contents.
    pub name: &'static str,
    /// The size in bytes.
    pub bytes: u64,
    /// Bytes per game of the archive; 0 without games.
    pub bytes_per_game: f64,
}

/// The size of an archive's file and of its parts.
///
/// # Errors
/// The archive cannot be read.
pub fn archive_sizes(archive: &Archive) -> Result<ArchiveSizes, ArchiveError> {
    let sizes = archive.maintenance().sizes()?;
    let games = archive.count()?;
    let bytes_per_game = per(sizes.total, games);
    let part = |name, bytes| SizePart { name, bytes, bytes_per_game: per(bytes, games) };
    let parts = sizes.parts.iter().map(|of| part(of.name, of.bytes)).collect();
    Ok(ArchiveSizes { games, bytes: sizes.total, bytes_per_game, parts })
}

/// An amount per game; 0 without games.
pub(crate) fn per(amount: u64, games: u64) -> f64 {
    if games == 0 { 0.0 } else { amount as f64 / games as f64 }
}
