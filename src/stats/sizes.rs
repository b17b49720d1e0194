//! Where the bytes of an archive go.

use serde::Serialize;

use crate::archive::{Archive, ArchiveError};

/// The bytes of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArchiveSizes {
    /// The games in it.
    pub games: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// Bytes for each game; 0 without games.
    pub bytes_per_game: f64,
    /// What the file consists of; together all of it.
    pub parts: Vec<SizePart>,
}

/// A part of an archive's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizePart {
    /// What it holds.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: u64,
    /// Bytes for each game of the archive; 0 without games.
    pub bytes_per_game: f64,
}

/// Where the bytes of an archive's file go.
///
/// # Errors
/// The archive cannot be read.
pub fn archive_sizes(archive: &Archive) -> Result<ArchiveSizes, ArchiveError> {
    let sizes = archive.maintenance().sizes()?;
    let games = archive.count()?;
    let bytes_per_game = |bytes: u64| per(bytes, games);
    let parts = sizes.parts.iter().map(|part| SizePart {
        name: part.name,
        bytes: part.bytes,
        bytes_per_game: bytes_per_game(part.bytes),
    });
    Ok(ArchiveSizes {
        games,
        bytes: sizes.total,
        bytes_per_game: bytes_per_game(sizes.total),
        parts: parts.collect(),
    })
}

/// So much for each game; 0 without games.
pub(crate) fn per(amount: u64, games: u64) -> f64 {
    if games == 0 { 0.0 } else { amount as f64 / games as f64 }
}
