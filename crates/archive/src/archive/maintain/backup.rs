//! A consistent copy of an archive while other programs use it.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use rusqlite::{Connection, backup::StepResult};

use crate::archive::{APPLICATION_ID, Archive, ArchiveError, Maintenance, Result, purpose::Purpose};
use crate::files::{AtomicFile, Destination, FileError, Protected, SATELLITES, beside};
use plybook_chess::counts::GAMES;

/// Pages copied between two progress reports.
const PAGES: i32 = 1024;

/// Offset of the four-byte application id in a database file.
const ID_AT: u64 = 68;

impl Maintenance<'_> {
    /// Copies the current state of the archive into another file, and checks that the copy opens and has the same
    /// games. The file is renamed to its final name when it is complete. With `force`, it may replace a file, which may
    /// be the only sound backup; so the copy is first [verified](Maintenance::verify). `progress` receives the number of
    /// pages copied and the total.
    ///
    /// # Errors
    /// The file exists (unless `force`), cannot be written, or the copy is damaged.
    pub fn backup(self, to: &Path, force: bool, mut progress: impl FnMut(u64, u64)) -> Result<u64> {
        let part = begin(to, force, &Protected::default().archive(self.archive.path()))?;
        let games = match self.archive.older_version() {
            None => self.back_up_to(&part.path, &mut progress)?,
            // Copy the file itself, not a temporary copy that is read in its place.
            Some(_) => Archive::connect(self.archive.path(), Purpose::Read)?
                .maintenance()
                .back_up_to(&part.path, &mut progress)?,
        };
        if force {
            verify_copy(&part.path, to)?;
        }
        keep(part)?;
        Ok(games)
    }

    fn back_up_to(self, part: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        // One read transaction around the whole backup: without it, each write by another program would restart the
        // backup.
        self.archive.db.run("BEGIN")?;
        let games = self.archive.count();
        let copied = self.copy_pages(part, progress).map_err(|error| ArchiveError::of_sqlite(part, error));
        self.archive.db.run("COMMIT")?;
        copied?;
        let games = games?;
        check_copy(part, games)?;
        Ok(games)
    }

    fn copy_pages(self, part: &Path, progress: &mut dyn FnMut(u64, u64)) -> rusqlite::Result<()> {
        let mut copy = Connection::open(part)?;
        copy.execute_batch("PRAGMA synchronous = FULL")?;
        let backup = rusqlite::backup::Backup::new(&self.archive.db, &mut copy)?;
        let mut done = false;
        while !done {
            done = matches!(backup.step(PAGES)?, StepResult::Done);
            let state = backup.progress();
            let pages = |pages: i32| u64::from(pages.unsigned_abs());
            progress(pages(state.pagecount - state.remaining), pages(state.pagecount));
        }
        drop(backup);
        // While other programs write, the archive has a write-ahead log; the copy is a single file.
        copy.execute_batch("PRAGMA journal_mode = DELETE")
    }
}

/// Checks that the copy opens as an archive, its pages are valid, and no game is missing.
fn check_copy(path: &Path, games: u64) -> Result<()> {
    let copy = Archive::open(path)?;
    let found: Result<String, _> = copy.db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    let found = found.map_err(|error| copy.db.error(error))?;
    let counted = copy.count()?;
    let what = if found != "ok" {
        found
    } else if counted != games {
        format!("it has {counted} {}, expected {games}", GAMES.of(counted))
    } else {
        return Ok(());
    };
    Err(ArchiveError::BadCopy(path.to_owned(), what))
}

/// Checks a copy as `verify` does.
fn verify_copy(copy: &Path, to: &Path) -> Result<()> {
    let problem = Archive::open_to_verify(copy)?.maintenance().verify(|_| ())?.first_problem();
    problem.map_or(Ok(()), |what| Err(ArchiveError::BadCopy(to.to_owned(), what)))
}

/// Begins a new archive. `force` allows replacing an existing one.
pub(in crate::archive) fn begin(to: &Path, force: bool, protected: &Protected) -> Result<AtomicFile> {
    let destination = match Destination::of(to, protected)? {
        Destination::Database(path) if !force || is_archive(&path) => Destination::File(path),
        destination => destination,
    };
    let part = destination.begin(to, force)?;
    no_log_beside(&part.to)?;
    Ok(part)
}

/// Renames a finished archive to its final name.
pub(in crate::archive) fn keep(part: AtomicFile) -> Result<()> {
    no_log_beside(&part.path)?;
    no_log_beside(&part.to)?;
    Ok(part.keep()?)
}

/// A log next to the target belongs to the file there: without it that file is incomplete, and SQLite would apply it to
/// a new file with the same name.
fn no_log_beside(path: &Path) -> Result<(), FileError> {
    let log = SATELLITES.map(|end| beside(path, end)).into_iter().find(|log| {
        !log.as_os_str().as_encoded_bytes().ends_with(b"-shm")
            && log.metadata().is_ok_and(|metadata| metadata.len() > 0)
    });
    log.map_or(Ok(()), |log| Err(FileError::Log(log)))
}

/// Whether a database is a plybook archive.
fn is_archive(path: &Path) -> bool {
    let read = || -> std::io::Result<i64> {
        let (mut file, mut id) = (File::open(path)?, [0; 4]);
        file.seek(SeekFrom::Start(ID_AT))?;
        file.read_exact(&mut id)?;
        Ok(i64::from(u32::from_be_bytes(id)))
    };
    read().is_ok_and(|id| id == APPLICATION_ID)
}
