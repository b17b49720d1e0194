//! Opening archives.

use std::{
    fs,
    io::ErrorKind,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use rusqlite::{Connection, OpenFlags, ffi, functions::FunctionFlags, limits::Limit};

use super::{
    ArchiveError, ArchiveFile, Result,
    bounded::Bounded,
    busy_timeout::wait,
    hardening::guard,
    maintain::migrate::upgrade,
    named_players::bounded_name,
    parts::Parts,
    purpose::Purpose,
    schema::VERSION,
    sql_functions,
    stale_journal::{self, bytes_of},
};
use crate::files::TemporaryFolder;
use plybook_chess::{
    limits::{MAX_GAME_BYTES, MAX_ROW_BYTES},
    name_pattern::Pattern,
};

/// The largest value that may be read from a small archive, which may grow while it is read.
const LEAST_ROW_BYTES: i32 = MAX_GAME_BYTES as i32;

/// An open archive.
///
/// ```
/// # std::env::set_current_dir("../..")?;
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
    pub(super) db: Bounded,
    /// The archives that are read as one, if there are several.
    pub(super) parts: Option<Box<Parts>>,
    /// The version of the file, if an upgraded copy is read in its place.
    older: Option<i64>,
    /// The directory of the copy that is read instead of the archive; removed after the connection is closed.
    copy: Option<TemporaryFolder>,
}

impl Archive {
    /// Opens an archive for reading. An intact archive is not changed. A change that a killed program left unfinished
    /// is rolled back or completed first: in the file if it is writable, otherwise in a temporary copy.
    ///
    /// # Errors
    /// The file is missing, not an archive, newer than this program, damaged, or its schema was altered.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive> {
        let archive = Archive::open_without_codecs(path.as_ref())?;
        archive.check_codecs()?;
        Ok(archive)
    }

    /// The same to [`verify`](super::Maintenance::verify) it: pages of tables may be corrupt.
    ///
    /// # Errors
    /// The same as [`open`](Archive::open).
    pub fn open_to_verify(path: impl AsRef<Path>) -> Result<Archive> {
        let archive = Archive::open_without_codecs(path.as_ref())?;
        match archive.check_codecs() {
            // `verify` will report it.
            Err(ArchiveError::Malformed(..)) => Ok(archive),
            checked => checked.map(|()| archive),
        }
    }

    fn open_without_codecs(path: &Path) -> Result<Archive> {
        check_is_file(path)?;
        let archive = Archive::connect(path, Purpose::Read)?;
        if archive.db.is_blank()? {
            return Err(ArchiveError::Blank(path.to_owned()));
        }
        let found = archive.db.version()?;
        let archive = if found < VERSION { Archive::upgraded_copy(path, found)? } else { archive };
        archive.check_schema(found)?;
        Ok(archive)
    }

    /// Copies and upgrades an older archive, to be read in its place.
    pub(super) fn upgraded_copy(path: &Path, found: i64) -> Result<Archive> {
        let mut archive = Archive::of_copy(path, |db| {
            db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN")?;
            upgrade(db, found, Purpose::Read)?;
            db.execute_batch("COMMIT")
        })?;
        archive.older = Some(found);
        Ok(archive)
    }

    /// Opens a temporary copy of an archive for reading.
    fn of_copy(path: &Path, prepare: impl FnOnce(&Bounded) -> rusqlite::Result<()>) -> Result<Archive> {
        let (folder, copy) = stale_journal::copy(path)?;
        let opened = Archive::begin(&copy, Purpose::Read);
        let mut archive = opened.map_err(|error| ArchiveError::of_sqlite(path, error))?;
        archive.db.path = path.to_owned();
        // Checkpoint the log, so that everything is in one open file; where the system allows it, that file is unlinked
        // and cannot be left behind.
        archive.db.attempt(|db| {
            prepare(db)?;
            db.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA query_only = ON")
        })?;
        folder.unlink();
        archive.copy = Some(folder);
        Ok(archive)
    }

    /// Opens a file. A reader's connection may also write, but only what SQLite does by itself: it recovers from killed
    /// writers, and maintains the shared memory of a write-ahead log.
    pub(super) fn connect(path: &Path, purpose: Purpose) -> Result<Archive> {
        stale_journal::check_journal(path)?;
        let is_read = purpose == Purpose::Read;
        let opened = if is_read && stale_journal::is_log_without_changes(path) {
            Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_PROTOCOL), None))
        } else {
            Archive::begin(path, purpose)
        };
        if is_read && opened.as_ref().is_err_and(is_of_place) {
            return Archive::of_copy(path, |_| Ok(()));
        }
        let archive = opened.map_err(|error| ArchiveError::of_sqlite(path, error))?;
        if is_read {
            archive.db.run("PRAGMA query_only = ON")?;
        }
        Ok(archive)
    }

    /// Opens a file and reads from it for the first time.
    fn begin(path: &Path, purpose: Purpose) -> rusqlite::Result<Archive> {
        let mut flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, purpose == Purpose::Write);
        // A name like ":memory:" is a file name here.
        let plain = if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() };
        let db = Connection::open_with_flags(plain, flags)?;
        let mut archive = Archive::of_guarded(db, path)?;
        if purpose == Purpose::Read {
            // No value is larger than its file.
            archive.db.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest(bytes_of(path)))?;
        }
        archive.db.busy_handler(Some(wait))?;
        archive.db.pragma_query_value(None, "application_id", |_| Ok(()))?;
        Ok(archive)
    }

    /// An archive on a new connection, with the functions that its statements need.
    pub(super) fn of_guarded(db: Connection, path: &Path) -> rusqlite::Result<Archive> {
        guard(&db)?;
        let archive = Archive::of_connection(Bounded::new(db, path)?);
        sql_functions::register(&archive.db)?;
        archive.add_matcher()?;
        Ok(archive)
    }

    /// An archive on a connection, without further checks.
    pub(super) fn of_connection(db: Bounded) -> Archive {
        Archive { db, parts: None, older: None, copy: None }
    }

    /// Adds an SQL function that matches names of events and sites against a pattern.
    fn add_matcher(&self) -> rusqlite::Result<()> {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        self.db.create_scalar_function("name_matches", 2, flags, move |context| {
            // Each statement prepares its pattern only once.
            let pattern = context.get_or_create_aux(1, |value| value.as_str().map(Pattern::new))?;
            Ok(pattern.fits(bounded_name(context.get_raw(0))?))
        })
    }

    /// A number that changes whenever another connection has written.
    pub fn data_version(&self) -> Result<i64> {
        self.files().each().map(|archive| archive.db.pragma("data_version")).sum()
    }

    /// Lets another thread cancel reads by setting a flag: reading then fails. `None` removes the flag.
    pub fn stop_when(&self, flag: Option<Arc<AtomicBool>>) {
        self.files().each().for_each(|archive| archive.db.stop_when(flag.clone()));
    }

    /// The version of the file, if it is older than this program's.
    pub fn older_version(&self) -> Option<i64> {
        self.files().each().find_map(|archive| archive.older)
    }

    /// The version of the file's format.
    pub fn version(&self) -> Result<i64> {
        let versions =
            self.files().each().map(|archive| archive.older.map_or_else(|| archive.db.version(), Ok));
        Ok(versions.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(VERSION))
    }

    /// The archive's file.
    pub fn path(&self) -> &Path {
        &self.db.path
    }

    /// Whether a temporary copy is read instead of the file.
    pub(super) fn is_copy(&self) -> bool {
        self.copy.is_some()
    }

    /// Bytes of the archive on disk, including its write-ahead log.
    pub fn bytes(&self) -> u64 {
        self.files().each().map(|archive| bytes_of(archive.path())).sum()
    }
}

/// While this exists, a connection sees the archive as it was when the snapshot was taken, whatever is written
/// meanwhile. An index and its games must be read in one snapshot, because `index` and imports replace segments.
#[derive(Debug)]
#[must_use = "the snapshot ends when this value is dropped"]
// To be held briefly: as long as a snapshot exists, the log of a writer cannot be truncated.
pub struct Snapshot<'a>(Vec<ArchiveFile<'a>>);

impl Archive {
    /// Takes a snapshot of the archive. Within another snapshot of the connection, it is the same one.
    pub fn snapshot(&self) -> Result<Snapshot<'_>> {
        let mut snapshot = Snapshot(Vec::new());
        for file in self.begun() {
            snapshot.0.push(file?);
        }
        Ok(snapshot)
    }

    /// Takes a snapshot that lasts until the archive is closed.
    pub fn at_this_moment(self) -> Result<Archive> {
        self.begun().try_for_each(|file| file.map(drop))?;
        Ok(self)
    }

    /// Begins a transaction in each file without one, and returns these files.
    pub(super) fn begun(&self) -> impl Iterator<Item = Result<ArchiveFile<'_>>> {
        // A transaction has its snapshot from its first read on.
        const BEGIN: &str = "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1";
        let files = self.files().all().filter(|file| file.lock().db.is_autocommit());
        files.map(|file| file.lock().db.run(BEGIN).map(|()| file))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        for archive in self.0.iter().map(|file| file.lock()).filter(|archive| !archive.db.is_autocommit()) {
            // Nothing was written; if ending it fails, closing the connection ends it.
            let _ = archive.db.run("ROLLBACK");
        }
    }
}

/// Checks that an archive to be opened exists.
pub(super) fn check_is_file(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(ArchiveError::Missing(path.to_owned())),
        Err(error) => Err(ArchiveError::Io { path: path.to_owned(), error }),
        Ok(metadata) if metadata.is_dir() => Err(ArchiveError::Folder(path.to_owned())),
        Ok(_) => Ok(()),
    }
}

/// The longest value that is read from a file of this size.
fn longest(bytes: u64) -> i32 {
    i32::try_from(bytes).unwrap_or(MAX_ROW_BYTES).clamp(LEAST_ROW_BYTES, MAX_ROW_BYTES)
}

/// Whether an error may be caused by the location of the file instead of its contents: a file or directory that is not
/// writable, or a full disk.
fn is_of_place(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DiskFull, FileLockingProtocolFailed, ReadOnly, SystemIoFailure};
    let of_place = [CannotOpen, DiskFull, ReadOnly, SystemIoFailure, FileLockingProtocolFailed];
    error.sqlite_error_code().is_some_and(|code| of_place.contains(&code))
}
