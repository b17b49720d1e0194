//! Opening and creating archives.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OpenFlags, functions::FunctionFlags};

use super::{ArchiveError, fold::matches};

/// `PRAGMA application_id` of every archive: "PLYB".
pub const APPLICATION_ID: i64 = 0x504c_5942;

/// `PRAGMA user_version`: the version of `schema.sql`.
pub const VERSION: i64 = 2;

const SCHEMA: &str = include_str!("../../schema.sql");

/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(30);

/// An open archive.
///
/// ```
/// use plybook::{archive::Archive, import::{Options, import_paths}};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("games.db");
/// import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
///
/// let archive = Archive::open(&path)?;
/// let game = archive.game(1)?;
/// println!("{} - {}", game.tags.get("White").unwrap(), game.tags.get("Black").unwrap());
/// assert_eq!(game.tags.get("Result"), Some(game.result.as_str()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Archive {
    pub(super) db: Connection,
    path: PathBuf,
}

impl Archive {
    /// Opens an archive for reading. Nothing is written, whatever the file holds.
    ///
    /// # Errors
    /// The file is missing, no archive, or newer than this program.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive, ArchiveError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(ArchiveError::Missing(path.to_owned()));
        }
        let archive = Archive::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        archive.check_ours()?;
        archive.run("PRAGMA query_only = ON")?;
        Ok(archive)
    }

    /// Opens an archive for writing; makes one where there is none.
    ///
    /// # Errors
    /// The file is no archive, newer than this program, or cannot be written.
    pub fn create_or_open(path: impl AsRef<Path>) -> Result<Archive, ArchiveError> {
        let path = path.as_ref();
        let new = fs::metadata(path).map_or(true, |metadata| metadata.len() == 0);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let archive = Archive::connect(path, flags)?;
        if new {
            archive.make_schema()?;
        } else {
            archive.check_ours()?;
        }
        // WAL with a full sync at each commit: what is reported as stored is on disk.
        archive.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF")?;
        Ok(archive)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Archive, ArchiveError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let error = |error| ArchiveError::Sqlite { path: path.to_owned(), error };
        let db = Connection::open_with_flags(path, flags).map_err(error)?;
        let archive = Archive { db, path: path.to_owned() };
        archive.db.busy_timeout(BUSY).map_err(error)?;
        archive.add_functions().map_err(error)?;
        // Views and triggers of a foreign file must not reach anything dangerous; cells are checked when read.
        archive
            .run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384")?;
        Ok(archive)
    }

    fn add_functions(&self) -> rusqlite::Result<()> {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        self.db.create_scalar_function("name_matches", 2, flags, |context| {
            let (name, pattern) = (context.get_raw(0).as_str()?, context.get_raw(1).as_str()?);
            Ok(matches(name, pattern))
        })
    }

    fn make_schema(&self) -> Result<(), ArchiveError> {
        self.run(&format!(
            "PRAGMA page_size = 8192;
             PRAGMA auto_vacuum = INCREMENTAL;
             BEGIN IMMEDIATE;
             {SCHEMA}
             PRAGMA application_id = {APPLICATION_ID};
             PRAGMA user_version = {VERSION};
             COMMIT"
        ))
    }

    fn check_ours(&self) -> Result<(), ArchiveError> {
        let read = |pragma: &str| self.db.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        if read("application_id").map_err(|error| self.error(error))? != APPLICATION_ID {
            return Err(ArchiveError::NotOurs(self.path.clone()));
        }
        match read("user_version").map_err(|error| self.error(error))? {
            VERSION => Ok(()),
            found if found > VERSION => Err(ArchiveError::Newer { path: self.path.clone(), found }),
            _ => Err(ArchiveError::NotOurs(self.path.clone())),
        }
    }

    pub(super) fn run(&self, sql: &str) -> Result<(), ArchiveError> {
        self.db.execute_batch(sql).map_err(|error| self.error(error))
    }

    pub(super) fn error(&self, error: rusqlite::Error) -> ArchiveError {
        let path = self.path.clone();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => ArchiveError::NotOurs(path),
            _ => ArchiveError::Sqlite { path, error },
        }
    }

    /// The archive's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the archive on disk, with what is still in the write-ahead log.
    pub fn bytes(&self) -> u64 {
        let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        size(&self.path) + size(Path::new(&log))
    }

    /// Ends writing: moves everything into the one file, so that it can be copied and read anywhere.
    ///
    /// # Errors
    /// SQLite's. Another program that has the archive open is none: it does the same when it ends.
    pub fn finish(self) -> Result<(), ArchiveError> {
        self.give_pages_back().map_err(|error| self.error(error))?;
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")?;
        match self.run("PRAGMA journal_mode = DELETE") {
            Err(ArchiveError::Sqlite { error, .. })
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) =>
            {
                Ok(())
            }
            other => other,
        }
    }

    /// Makes the file as small as its content: merged runs of keys leave free pages behind.
    fn give_pages_back(&self) -> rusqlite::Result<()> {
        let mut statement = self.db.prepare("PRAGMA incremental_vacuum")?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    }
}
