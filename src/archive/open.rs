//! Opening and creating archives.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, functions::FunctionFlags};

use super::{ArchiveError, fold::matches, guard::guard};

/// `PRAGMA application_id` of every archive: "PLYB".
pub const APPLICATION_ID: i64 = 0x504c_5942;

/// `PRAGMA user_version`: the version of `schema.sql`.
pub const VERSION: i64 = 2;

pub(super) const SCHEMA: &str = include_str!("../../schema.sql");

/// How long another process that is writing is waited for, and how often it is asked. Writers make room for
/// each other after every batch, so one that has to wait this long waits for something that has stopped.
const PATIENCE: Duration = Duration::from_secs(120);
const ASKED_EVERY: Duration = Duration::from_millis(2);

/// What an archive is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    Write,
}

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
    migrated_from: Option<i64>,
}

impl Archive {
    /// Opens an archive for reading. Nothing is written, whatever the file holds, and no file is made. (The
    /// exception: after a crash SQLite rebuilds the index, `-shm`, of the log, `-wal`, that lies beside it.)
    ///
    /// # Errors
    /// The file is missing, no archive, older or newer than this program, or not as plybook makes them.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive, ArchiveError> {
        let path = path.as_ref();
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(ArchiveError::Missing(path.to_owned()));
            }
            Err(error) => return Err(ArchiveError::Io { path: path.to_owned(), error }),
            Ok(metadata) if metadata.is_dir() => return Err(ArchiveError::Folder(path.to_owned())),
            Ok(_) => {}
        }
        let archive = Archive::connect(path, Purpose::Read)?;
        match archive.version()? {
            VERSION => archive.check_shape()?,
            found => return Err(ArchiveError::Older { path: path.to_owned(), found }),
        }
        archive.run("PRAGMA query_only = ON")?;
        Ok(archive)
    }

    /// Opens an archive for writing; makes one where there is none, and brings an older one up to date.
    ///
    /// # Errors
    /// The file is no archive, newer than this program, not as plybook makes them, or cannot be written.
    pub fn create_or_open(path: impl AsRef<Path>) -> Result<Archive, ArchiveError> {
        Archive::create_or_open_for(path, None)
    }

    /// The same; a new archive is laid out for sources of about so many bytes.
    ///
    /// # Errors
    /// As [`create_or_open`](Archive::create_or_open).
    pub fn create_or_open_for(
        path: impl AsRef<Path>,
        source_bytes: Option<u64>,
    ) -> Result<Archive, ArchiveError> {
        let path = path.as_ref();
        if path.is_dir() {
            return Err(ArchiveError::Folder(path.to_owned()));
        }
        let mut archive = Archive::connect(path, Purpose::Write)?;
        // SQLite knows better than the file's length: what was left of a crash while it was made is undone first.
        if archive.is_blank()? {
            archive.make_schema(page_size(source_bytes))?;
        }
        let found = archive.version()?;
        if archive.db.is_readonly("main").unwrap_or(true) {
            return Err(ArchiveError::ReadOnly(path.to_owned()));
        }
        if found < VERSION {
            archive.migrate_from(found)?;
            archive.migrated_from = Some(found);
        }
        archive.check_shape()?;
        // WAL with a full sync at each commit: what is reported as stored is on disk.
        archive.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF")?;
        Ok(archive)
    }

    pub(super) fn connect(path: &Path, purpose: Purpose) -> Result<Archive, ArchiveError> {
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX
            | match purpose {
                Purpose::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
                Purpose::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            };
        let opened = if matches!(purpose, Purpose::Read) && is_settled_log(path) {
            Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)
        } else {
            // A name like "file:x" is no URI here.
            let plain = if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() };
            Connection::open_with_flags(plain, flags)
        };
        let db = opened.map_err(|error| ArchiveError::of_sqlite(path, error))?;
        let mut archive = Archive { db, path: path.to_owned(), migrated_from: None };
        archive.prepare().map_err(|error| archive.error(error))?;
        Ok(archive)
    }

    fn prepare(&mut self) -> rusqlite::Result<()> {
        self.db.busy_handler(Some(wait))?;
        guard(&self.db)?;
        self.add_functions()
    }

    fn add_functions(&self) -> rusqlite::Result<()> {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        self.db.create_scalar_function("name_matches", 2, flags, |context| {
            let (name, pattern) = (context.get_raw(0).as_str()?, context.get_raw(1).as_str()?);
            Ok(matches(name, pattern))
        })
    }

    /// Makes the tables, unless another process has made them in the meantime.
    fn make_schema(&self, page_size: u32) -> Result<(), ArchiveError> {
        // The second setting writes: so it begins the transaction, and nothing is left if that is not ended.
        self.run(&format!("PRAGMA page_size = {page_size}; BEGIN; PRAGMA auto_vacuum = INCREMENTAL"))?;
        if !self.is_blank()? {
            return self.run("COMMIT");
        }
        self.run(&format!(
            "{SCHEMA}
             PRAGMA application_id = {APPLICATION_ID};
             PRAGMA user_version = {VERSION};
             COMMIT"
        ))
    }

    /// Whether this is a database without any content that nobody has claimed.
    fn is_blank(&self) -> Result<bool, ArchiveError> {
        let things = self.db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        Ok(things.map_err(|error| self.error(error))? == 0 && self.pragma("application_id")? == 0)
    }

    /// The version of an archive that is ours and not newer than this program.
    fn version(&self) -> Result<i64, ArchiveError> {
        if self.pragma("application_id")? != APPLICATION_ID {
            return Err(ArchiveError::NotOurs(self.path.clone()));
        }
        match self.pragma("user_version")? {
            found if found > VERSION => Err(ArchiveError::Newer { path: self.path.clone(), found }),
            found if found < 1 => Err(ArchiveError::NotOurs(self.path.clone())),
            found => Ok(found),
        }
    }

    pub(super) fn pragma(&self, name: &str) -> Result<i64, ArchiveError> {
        self.db.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.error(error))
    }

    pub(super) fn run(&self, sql: &str) -> Result<(), ArchiveError> {
        self.db.execute_batch(sql).map_err(|error| self.error(error))
    }

    pub(super) fn error(&self, error: rusqlite::Error) -> ArchiveError {
        ArchiveError::of_sqlite(&self.path, error)
    }

    /// The version it had before it was opened for writing, if that was older than this program's.
    pub fn migrated_from(&self) -> Option<i64> {
        self.migrated_from
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
        self.run("PRAGMA wal_checkpoint(PASSIVE)")?;
        // At once or not at all: readers are not waited for.
        self.db.busy_timeout(Duration::ZERO).map_err(|error| self.error(error))?;
        match self.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE") {
            Err(ArchiveError::Busy(_)) => Ok(()),
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

/// The size of a new archive's pages. Every table has at least one, so small archives have small pages; in a
/// large one, large pages waste less at their ends.
fn page_size(source_bytes: Option<u64>) -> u32 {
    match source_bytes {
        Some(bytes) if bytes < 16 << 20 => 4096,
        Some(_) => 16384,
        None => 8192,
    }
}

/// Waits a little for another process; false when it has been waited for long enough.
fn wait(times: i32) -> bool {
    sleep(ASKED_EVERY);
    ASKED_EVERY.saturating_mul(times.unsigned_abs()) < PATIENCE
}

/// Whether a file was left in write-ahead mode without a log. To read it in the ordinary way SQLite would make
/// a log; nobody has it open, so it can be read as it stands. It is looked at only where no log and no journal
/// is beside it: to close a file drops the locks that this process has on it.
fn is_settled_log(path: &Path) -> bool {
    let beside = |end: &str| {
        let mut name = path.to_owned().into_os_string();
        name.push(end);
        fs::metadata(PathBuf::from(name)).is_ok_and(|metadata| metadata.len() > 0)
    };
    let mut header = [0; 20];
    !beside("-wal")
        && !beside("-journal")
        && File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok()
        && header[18] == 2
}

/// The URI of a file that nobody changes.
fn immutable(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte))
            }
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}
