//! What a killed program has left next to an archive: a rollback journal, or a write-ahead log. SQLite rolls the
//! journal back and checkpoints the log, but must be able to write; if it cannot, a temporary copy is read instead.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, SystemTime},
};

use crate::archive::{ArchiveError, Result};
use crate::files::{self, TemporaryFolder};
use plybook_chess::limits::MAX_COPY_BYTES;

/// The files of an archive: the database, the journal and the log. SQLite recreates the log's shared-memory file.
const FILES: [&str; 3] = ["", "-journal", "-wal"];

/// The size of the header of a log, before the first changed page.
const LOG_HEADER_BYTES: u64 = 32;

/// How often to retry a copy whose files changed meanwhile, and how long to wait in between.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// The last bytes of a journal that belongs to several databases; they follow the length and the checksum of the name
/// of the super-journal.
const JOINED: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// A file that SQLite keeps next to another: next to the file itself, not next to a link to it.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    files::beside(&path.canonicalize().unwrap_or_else(|_| path.to_owned()), end)
}

/// The write-ahead log of an archive.
pub fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// Bytes of an archive on disk, including its write-ahead log.
pub(super) fn bytes_of(path: &Path) -> u64 {
    ["", "-wal"].map(|end| fs::metadata(beside(path, end)).map_or(0, |file| file.len())).iter().sum()
}

/// Rejects a journal that names another file, because SQLite would delete that file. Plybook never creates such a
/// journal.
pub(super) fn check_journal(path: &Path) -> Result<()> {
    let journal = beside(path, "-journal");
    let last = || -> io::Result<[u8; 16]> {
        let (mut file, mut last) = (File::open(&journal)?, [0; 16]);
        file.seek(SeekFrom::End(-16))?;
        file.read_exact(&mut last)?;
        Ok(last)
    };
    match last() {
        Ok(last) if last.ends_with(&JOINED) && last[..4] != [0; 4] => {
            let what = format!(
                "its journal, {}, belongs to a transaction over several databases",
                journal.display()
            );
            Err(ArchiveError::Foreign(path.to_owned(), what))
        }
        _ => Ok(()),
    }
}

/// Whether a writer was killed after it created a log but before it changed anything, and this program cannot write to
/// the log's shared memory. SQLite would retry for ten seconds and then refuse to read the archive.
pub(super) fn is_log_without_changes(path: &Path) -> bool {
    fs::metadata(log_of(path)).is_ok_and(|log| log.len() == LOG_HEADER_BYTES)
        && File::options().read(true).write(true).open(beside(path, "-shm")).is_err_and(is_forbidden)
}

fn is_forbidden(error: io::Error) -> bool {
    error.kind() != ErrorKind::NotFound
}

/// Copies an archive and its accompanying files into a temporary directory. Returns the directory and the copy.
pub(super) fn copy(path: &Path) -> Result<(TemporaryFolder, PathBuf)> {
    let of_path = |error| ArchiveError::Io { path: path.to_owned(), error };
    File::open(path).map_err(of_path)?;
    for _ in 0..TRIES {
        let before = state(path).map_err(of_path)?;
        if before.iter().flatten().map(|(bytes, _)| bytes).sum::<u64>() > MAX_COPY_BYTES {
            return Err(no_room(path, ErrorKind::FileTooLarge.into()));
        }
        let (folder, to) = copy_files(path).map_err(|error| no_room(path, error))?;
        if before == state(path).map_err(of_path)? {
            return Ok((folder, to));
        }
        drop(folder);
        sleep(PAUSE);
    }
    Err(ArchiveError::Busy(path.to_owned()))
}

fn no_room(path: &Path, error: io::Error) -> ArchiveError {
    ArchiveError::NoRoom { path: path.to_owned(), folder: std::env::temp_dir(), error }
}

/// The length of a file, and when it was modified.
type FileState = (u64, Option<SystemTime>);

/// The state of each of the files; `None` for a missing one.
fn state(path: &Path) -> io::Result<Vec<Option<FileState>>> {
    let of = |end| match fs::metadata(beside(path, end)) {
        Ok(file) => Ok(Some((file.len(), file.modified().ok()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    FILES.into_iter().map(of).collect()
}

fn copy_files(path: &Path) -> io::Result<(TemporaryFolder, PathBuf)> {
    let folder = TemporaryFolder::new()?;
    let to = folder.path().join("copy.db");
    for end in FILES {
        match File::open(beside(path, end)) {
            Ok(mut file) => io::copy(&mut file, &mut File::create(files::beside(&to, end))?)?,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
    }
    Ok((folder, to))
}
