//! Errors of archives.

use std::{
    fmt::Display,
    fs::File,
    io::ErrorKind,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use crate::archive::LATEST_VERSION;
use crate::files::{FileError, folder_of};
use plybook_record::GameId;

/// Why an archive cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no such file.
    #[error("{}: archive not found", .0.display())]
    Missing(PathBuf),
    /// The file is not an SQLite database, or a database of another program.
    #[error("{}: not a plybook archive", .0.display())]
    NotOurs(PathBuf),
    /// The file is empty: its creation was interrupted before anything was stored.
    #[error("{}: the file is empty; no games have been imported into it", .0.display())]
    Blank(PathBuf),
    /// The archive was written by a newer plybook.
    #[error("{}: the archive has format version {found}, but this plybook supports versions up to {LATEST_VERSION}; update plybook", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// Games use a codec of a newer version, or an invalid one.
    #[error("{}: the archive uses codec {codec}, which this version of plybook does not support; the archive is newer or corrupt", .path.display())]
    UnknownCodec {
        /// The file.
        path: PathBuf,
        /// The codec's number.
        codec: i64,
    },
    /// It is damaged, and computing checksums now would hide the damage. Like the following ones, with the file and
    /// what is wrong with it.
    #[error("{}: the archive is damaged and was not upgraded: {}", .0.display(), .1)]
    Unsound(PathBuf, String),
    /// SQLite reports that pages of the file are corrupt.
    #[error("{}: the archive is damaged: {}", .0.display(), .1)]
    Malformed(PathBuf, String),
    /// The rows of a table are out of order or larger than the file, so that a query might never end.
    #[error("{}: the archive is damaged or malicious: {}", .0.display(), .1)]
    Endless(PathBuf, String),
    /// It does not have exactly the tables that plybook creates, so it may be malicious.
    #[error("{}: refusing to open the archive: {}", .0.display(), .1)]
    Foreign(PathBuf, String),
    /// A unique index added by the user rejects a row.
    #[error("{}: your UNIQUE index {:?} rejected a row, so this batch was rolled back; drop the index and try again", .0.display(), .1)]
    UniqueIndex(PathBuf, String),
    /// The path is a directory.
    #[error("{}: this is a directory, not an archive", .0.display())]
    Folder(PathBuf),
    /// The archive has an older version, which was not to be changed by the way.
    #[error("{}: the archive has the older version {version}; to edit it, upgrade it first", .path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
    },
    /// Games of a collection in parts were to be changed.
    #[error("{}: the games of a collection in parts cannot be changed; merge the parts first", .path.display())]
    InParts {
        /// The collection, or one of its parts.
        path: PathBuf,
        /// The directory of the collection.
        collection: PathBuf,
    },
    /// The file can be read, but not written.
    #[error("{}: cannot write to the archive: the file or its directory is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Another program has been writing for longer than the timeout.
    #[error("{}: another program is writing to the archive; try again when it has finished", .0.display())]
    Busy(PathBuf),
    /// Another program has been reading without a pause for longer than the timeout.
    #[error("{}: the archive is locked by another program that is reading it; close that program and try again", .0.display())]
    Held(PathBuf),
    /// Another program has it open with a write-ahead log, so that games may be added at any time.
    #[error("{}: another program has the archive open, such as an import; try again when it has ended", .0.display())]
    InUse(PathBuf),
    /// The index has changed since it was written.
    #[error("{}: the index is damaged", .0.display())]
    DamagedIndex(PathBuf),
    /// The index was built by an earlier release.
    #[error("{}: the index was built by an earlier release", .0.display())]
    FormerIndex(PathBuf),
    /// Rows, or the indexes over them, have changed since they were written.
    #[error("{}: {}", .0.display(), .1)]
    Changed(PathBuf, String),
    /// A fingerprint belongs to no game, so a row has changed since it was written.
    #[error("{}: it has a fingerprint that belongs to no game", .0.display())]
    StrayFingerprint(PathBuf),
    /// The new file cannot be created.
    #[error(transparent)]
    File(#[from] FileError),
    /// The list of the archives that are read as one cannot be read.
    #[error(transparent)]
    List(Box<dyn std::error::Error + Send + Sync>),
    /// A copy differs from the original.
    #[error("{}: the copy is damaged: {}", .0.display(), .1)]
    BadCopy(PathBuf, String),
    /// The archive can only be read from a temporary copy, because it has an older version, or because a killed program
    /// left a change unfinished and the file is not writable; and there is no space for the copy.
    #[error("{}: cannot open the archive read-only: it needs an upgrade or recovery, and {} has no space for a temporary copy: {error}", .path.display(), .folder.display())]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// The directory of temporary files.
        folder: PathBuf,
        /// The error of the file system.
        #[source]
        error: std::io::Error,
    },
    /// The file system reports an error.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        error: std::io::Error,
    },
    /// SQLite reports an error.
    #[error("{}: {}", .path.display(), .error)]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        #[source]
        error: SqliteError,
    },
    /// More archives than an SQL statement can query.
    #[error(
        "SQL can query at most {most} archives at the same time, but {archives} were given; combine them"
    )]
    TooManyForSql {
        /// Their number.
        archives: usize,
        /// The maximum.
        most: usize,
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
    /// The game has been removed.
    #[error("the archive has no game {0}: it has been removed")]
    Removed(GameId),
    /// The archive has no games at all.
    #[error("the archive has no game {0}; it is empty")]
    Empty(GameId),
    /// There is no such change to undo or redo, or something else has changed the same games.
    #[error("{0}")]
    Conflict(String),
    /// A change would make two games equal.
    #[error("{} is equal to game {other}, which is already in the archive", .id.map_or_else(|| "the game".to_owned(), |id| format!("game {id} with this change")))]
    Equal {
        /// The game being edited; `None` for a new one.
        id: Option<GameId>,
        /// The other game.
        other: GameId,
    },
    /// A game cannot be edited in this way.
    #[error("{0}")]
    Edit(Box<dyn std::error::Error + Send + Sync>),
    /// The change was stopped before its end.
    #[error("stopped; nothing has been changed")]
    Stopped,
    /// A range of games cannot be read: the file is damaged.
    #[error("games {first} {}cannot be read: {what}", .last.map_or("and later ".to_owned(), |last| format!("to {last} ")))]
    Unreadable {
        /// The first id of the range.
        first: GameId,
        /// The last one; `None` if the range extends to the end.
        last: Option<GameId>,
        /// What SQLite says.
        what: String,
    },
    /// A stored game cannot be read: the file is damaged.
    #[error("game {id} is damaged: {what}")]
    Damaged {
        /// The game.
        id: GameId,
        /// What is wrong with it.
        what: String,
    },
}

/// The result of a function of archives.
pub type Result<T, E = ArchiveError> = std::result::Result<T, E>;

impl ArchiveError {
    /// What is wrong with a game.
    pub fn damaged(id: GameId, what: impl Display) -> ArchiveError {
        ArchiveError::Damaged { id, what: what.to_string() }
    }

    /// Converts an error of SQLite to one that a user can act on.
    pub(super) fn of_sqlite(path: &Path, error: rusqlite::Error) -> ArchiveError {
        let path = path.to_owned();
        if let rusqlite::Error::Utf8Error(..) = error {
            return ArchiveError::Malformed(path, "a text in it is not UTF-8".to_owned());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => ArchiveError::NotOurs(path),
            Some(ErrorCode::DatabaseCorrupt) => ArchiveError::Malformed(path, said(&error)),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ArchiveError::Busy(path),
            Some(ErrorCode::OperationInterrupted) => {
                let what = "reading it takes more steps than a file of its size can need".to_owned();
                ArchiveError::Foreign(path, what)
            }
            Some(ErrorCode::ReadOnly) => ArchiveError::ReadOnly(path),
            Some(ErrorCode::CannotOpen) => match File::open(&path) {
                // The file cannot be created in an existing directory.
                Err(missing) if missing.kind() == ErrorKind::NotFound && folder_of(&path).is_dir() => {
                    ArchiveError::ReadOnly(path)
                }
                Err(error) => ArchiveError::Io { path, error },
                Ok(_) => ArchiveError::Sqlite { path, error: SqliteError(error) },
            },
            _ => ArchiveError::Sqlite { path, error: SqliteError(error) },
        }
    }
}

/// An error if a watch stops.
pub(super) fn stop_if(flow: ControlFlow<()>) -> super::Result<()> {
    if flow.is_break() { Err(ArchiveError::Stopped) } else { Ok(()) }
}

/// SQLite's message, without the error code.
pub(super) fn said(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    }
}

/// An error of SQLite on one line, without the statement.
#[derive(Debug, thiserror::Error)]
#[error("{}", said(.0))]
pub struct SqliteError(#[source] rusqlite::Error);
