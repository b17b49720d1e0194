//! What can go wrong with an archive.

use std::path::PathBuf;

use super::{GameId, VERSION};

/// Why an archive cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no such file.
    #[error("{}: there is no such archive; make one with: plybook import PATH -a {}", .0.display(), .0.display())]
    Missing(PathBuf),
    /// The file is no SQLite database, or one of another program.
    #[error("{}: this is not a plybook archive", .0.display())]
    NotOurs(PathBuf),
    /// The archive was written by a newer plybook.
    #[error("{}: this archive has version {found}, newer than this plybook's ({VERSION}); update plybook", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// SQLite says no.
    #[error("{}: {error}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: rusqlite::Error,
    },
    /// The archive has no such game.
    #[error("the archive has no game {id}; it has games {first} to {last}")]
    NoSuchGame {
        /// The id asked for.
        id: GameId,
        /// The first id.
        first: GameId,
        /// The last id.
        last: GameId,
    },
    /// The archive has no games at all.
    #[error("the archive has no game {0}; it is empty")]
    Empty(GameId),
    /// A stored game cannot be read: the file is damaged.
    #[error("game {id} is damaged: {what}")]
    Damaged {
        /// The game.
        id: GameId,
        /// What is wrong with it.
        what: String,
    },
}
