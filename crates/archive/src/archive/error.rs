//! What can go wrong with an archive.

use std::{
    fs::File,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

use crate::archive::VERSION;
use crate::files::{FileError, folder_of};
use plybook_record::GameId;

/// Why an archive cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no such file.
    #[error("{}: archive not found", .0.display())]
    Missing(PathBuf),
    /// The file is no SQLite database, or one of another program.
    #[error("{}: not a plybook archive", .0.display())]
    NotOurs(PathBuf),
    /// The file is empty: what was to make an archive of it was stopped before anything was stored.
    #[error("{}: the file is empty; no games have been imported into it", .0.display())]
    Blank(PathBuf),
    /// The archive was written by a newer plybook.
    #[error("{}: the archive has format version {found}, but this plybook supports versions up to {VERSION}; update plybook", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// Games are stored with a codec of a later version, or of none.
    #[error("{}: the archive uses codec {codec}, which this version of plybook does not support; the archive is newer or corrupt", .path.display())]
    UnknownCodec {
        /// The file.
        path: PathBuf,
        /// The codec's number.
        codec: i64,
    },
    /// It is damaged, and checksums made now would make its damage look sound.
    #[error("{}: the archive is damaged and was not upgraded: {what}", .path.display())]
    Unsound {
        /// The file.
        path: PathBuf,
        /// The first thing that is wrong with it.
        what: String,
    },
    /// SQLite reports that pages of the file are corrupt.
    #[error("{}: the archive is damaged: {what}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        what: String,
    },
    /// The rows of a table are out of order, or larger than the file, so that a query might never end.
    #[error("{}: the archive is damaged or malicious: {what}", .path.display())]
    Endless {
        /// The file.
        path: PathBuf,
        /// Which table.
        what: String,
    },
    /// It has not exactly the tables that plybook makes: it may do harm.
    #[error("{}: refusing to open the archive: {what}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A unique index that a user has added forbids what is to be stored.
    #[error("{}: your UNIQUE index {index:?} rejected a row, so this batch was rolled back; drop the index and try again", .path.display())]
    UniqueIndex {
        /// The file.
        path: PathBuf,
        /// The index.
        index: String,
    },
    /// A folder where a file should be.
    #[error("{}: this is a directory, not an archive", .0.display())]
    Folder(PathBuf),
    /// The file may be read, but not written.
    #[error("{}: cannot write to the archive: the file or its directory is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Another program has been writing for longer than we wait.
    #[error("{}: another program is writing to the archive; try again when it has finished", .0.display())]
    Busy(PathBuf),
    /// Another program has been reading for longer than we wait, without a pause in which to write.
    #[error("{}: the archive is locked by another program that is reading it; close that program and try again", .0.display())]
    Held(PathBuf),
    /// The index is not as it was written.
    #[error("{}: the index is damaged", .0.display())]
    DamagedIndex(PathBuf),
    /// Rows, or what finds them, are not as they were written.
    #[error("{}: {what}", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// What has changed.
        what: String,
    },
    /// The file that is to be made cannot be.
    #[error(transparent)]
    File(#[from] FileError),
    /// A copy that is not what was copied.
    #[error("{}: the copy is damaged: {what}", .path.display())]
    BadCopy {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The archive can only be read from a copy, since it is of an older version, or a kill has left it in the middle of a
    /// change and it may not be written; and there is no room for the copy.
    #[error("{}: cannot open the archive read-only: it needs an upgrade or recovery, and {} has no space for a temporary copy: {error}", .path.display(), .folder.display())]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// The folder of temporary files.
        folder: PathBuf,
        /// What the file system says.
        #[source]
        error: std::io::Error,
    },
    /// The file system says no.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        #[source]
        error: std::io::Error,
    },
    /// SQLite says no.
    #[error("{}: {}", .path.display(), .error)]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it says.
        #[source]
        error: SqliteError,
    },
    /// More archives than a statement of SQL can ask.
    #[error(
        "SQL can query at most {most} archives at the same time, but {archives} were given; combine them with plybook merge"
    )]
    TooManyForSql {
        /// Their number.
        archives: usize,
        /// How many there may be.
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
    /// The archive has no games at all.
    #[error("the archive has no game {0}; it is empty")]
    Empty(GameId),
    /// A stretch of games cannot be read: the file is damaged.
    #[error("games {first} {}cannot be read: {what}", .last.map_or("and later ".to_owned(), |last| format!("to {last} ")))]
    Unreadable {
        /// The first id of the stretch.
        first: GameId,
        /// The last one, unless it goes on to the end.
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

impl ArchiveError {
    /// What SQLite says of a file, told so that a user can act on it.
    pub(super) fn of_sqlite(path: &Path, error: rusqlite::Error) -> ArchiveError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => ArchiveError::NotOurs(path),
            Some(ErrorCode::DatabaseCorrupt) => ArchiveError::Malformed { path, what: said(&error) },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ArchiveError::Busy(path),
            Some(ErrorCode::OperationInterrupted) => {
                let what = "reading it takes more steps than a file of its size can need".to_owned();
                ArchiveError::Foreign { path, what }
            }
            Some(ErrorCode::ReadOnly) => ArchiveError::ReadOnly(path),
            Some(ErrorCode::CannotOpen) => match File::open(&path) {
                // A file that cannot be made in a folder that is there.
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

/// SQLite's message, without the error code.
pub(super) fn said(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(what)) => what.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        error => error.to_string(),
    }
}

/// What SQLite says, in a line: without the statement that it says it of.
#[derive(Debug)]
pub struct SqliteError(rusqlite::Error);

impl std::fmt::Display for SqliteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            rusqlite::Error::SqlInputError { msg, .. } => f.write_str(msg),
            error => error.fmt(f),
        }
    }
}

impl std::error::Error for SqliteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
