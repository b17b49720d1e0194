//! Detects whether an archive has changed; called very often.
//!
//! SQLite can tell, but must lock the file for it. In most cases the modification times of the files are enough: a
//! later write has a different time, unless both times are so close that the clock of the file system does not
//! distinguish them. They are not enough while there is a write-ahead log: a change in it becomes visible later than it
//! is written, when it is on the disk.

use std::{
    fs, mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use crate::{
    archive::{Archive, ArchivePaths, BusyTimeout, Result, log_of},
    files::{FileId, file_id},
};

/// Longer than a tick of the clock of any file system.
const TICK: Duration = Duration::from_millis(100);

/// Watches an archive.
#[derive(Debug)]
pub(super) struct Watch {
    paths: Arc<Followed>,
    connection: Mutex<WatchConnection>,
    seen: RwLock<SeenFiles>,
}

/// The known state of the files.
#[derive(Debug)]
struct SeenFiles {
    /// The write-ahead logs, which contain data that is not in the archive's own file yet.
    logs: Vec<PathBuf>,
    /// Files that cannot have changed unnoticed since they were examined, and the state that they are in.
    settled: Option<(Files, u64)>,
}

/// A connection that is used for nothing else.
#[derive(Debug)]
struct WatchConnection {
    archive: Archive,
    state: u64,
    /// SQLite's data version, which changes when another connection has written.
    version: i64,
    /// The file, or the original if a copy of it is read.
    opened: Stamp,
}

/// A file at some moment; several files as if they were one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    written: SystemTime,
    bytes: u64,
    pub(super) file: FileId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Files([Option<Stamp>; 2]);

impl Watch {
    pub(super) fn new(paths: Arc<Followed>) -> Result<Watch> {
        let files = paths.now()?;
        let (archive, opened) = open(&files)?;
        Ok(Watch {
            paths,
            connection: Mutex::new(WatchConnection { archive, state: 0, version: -1, opened }),
            seen: RwLock::new(SeenFiles { logs: logs_of(&files), settled: None }),
        })
    }

    /// A number that grows when the archive has changed; `None` if another program is writing.
    pub(super) fn state(&self) -> Option<u64> {
        let paths = self.paths.now().ok()?;
        {
            let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
            if let Some((settled, state)) = seen.settled
                && settled == Files::of(&paths, &seen.logs)
            {
                return Some(state);
            }
        }
        // The server asks before every request. A wait for a writer would stop all of them, so a busy archive is
        // answered with `None`, and the request is answered without the cache.
        let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let logs = logs_of(&paths);
        let (now, files) = (SystemTime::now(), Files::of(&paths, &logs));
        connection.ask(&paths, files.0[0]).ok()?;
        // A file that was written within the last tick could be written again without another time, so its state is not
        // cached yet.
        let settled =
            Some((files, connection.state)).filter(|_| files.are_older_than(now) && !files.have_logs());
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = SeenFiles { logs, settled };
        Some(connection.state)
    }
}

impl WatchConnection {
    /// Increments the state if the archive has changed; `file` is the file at its path.
    fn ask(&mut self, paths: &ArchivePaths, file: Option<Stamp>) -> Result<()> {
        let is_same_file = file.is_some_and(|file| file.file == self.opened.file);
        let has_changed = if !is_same_file || must_be_opened_again(&self.archive) {
            let has_changed = file != Some(self.opened);
            if has_changed {
                (self.archive, self.opened) = open(paths)?;
                self.version = self.archive.data_version()?;
            }
            has_changed
        } else {
            let version = self.archive.data_version()?;
            mem::replace(&mut self.version, version) != version
        };
        self.state += u64::from(has_changed);
        Ok(())
    }
}

impl Files {
    fn of(paths: &ArchivePaths, logs: &[PathBuf]) -> Files {
        let logs = logs.iter().filter_map(|log| stamp_of_file(log)).reduce(Stamp::with);
        Files([stamp(paths.files()), logs])
    }

    fn have_logs(&self) -> bool {
        self.0[1].is_some_and(|logs| logs.bytes > 0)
    }

    /// Whether any write from now on would have a different time.
    fn are_older_than(&self, now: SystemTime) -> bool {
        let is_older = |stamp: &Stamp| now.duration_since(stamp.written).is_ok_and(|age| age > TICK);
        self.0.iter().flatten().all(is_older)
    }
}

/// Whether later writes are invisible until the archive is opened again: a copy is read, or several archives, whose ids
/// depend on the number of games in the archives before.
pub(super) fn must_be_opened_again(archive: &Archive) -> bool {
    archive.older_version().is_some() || !archive.is_one()
}

/// Several files, such as those of an archive; `None` if one is missing.
pub(super) fn stamp(files: &[PathBuf]) -> Option<Stamp> {
    let stamps: Option<Vec<Stamp>> = files.iter().map(|path| stamp_of_file(path)).collect();
    stamps?.into_iter().reduce(Stamp::with)
}

impl Stamp {
    /// Combines two files.
    fn with(self, other: Stamp) -> Stamp {
        let mixed = |one: u64, other: u64| one.rotate_left(1) ^ other;
        Stamp {
            written: self.written.max(other.written),
            bytes: self.bytes.wrapping_add(other.bytes),
            file: (mixed(self.file.0, other.file.0), mixed(self.file.1, other.file.1)),
        }
    }
}

fn stamp_of_file(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    // On a file system without identities, a replaced archive is not noticed.
    let file = file_id(path, &metadata).unwrap_or_default();
    Some(Stamp { written: metadata.modified().ok()?, bytes: metadata.len(), file })
}

/// Opens the archive at its paths, and returns which file that is: another file may replace it at any time.
pub(super) fn open(paths: &ArchivePaths) -> Result<(Archive, Stamp)> {
    loop {
        let before = stamp(paths.files());
        let archive = Archive::open_several(paths)?;
        if let Some(opened) = before
            && stamp(paths.files()).is_some_and(|after| after.file == opened.file)
        {
            return Ok((archive, opened));
        }
    }
}

/// The logs of all files.
fn logs_of(paths: &ArchivePaths) -> Vec<PathBuf> {
    paths.files().iter().map(|path| log_of(path)).collect()
}

/// The files of an archive that is queried for a long time: a directory of parts may list others meanwhile.
#[derive(Debug)]
pub(super) struct Followed(RwLock<ListedPaths>);

/// The files, and their list when it was read.
#[derive(Debug)]
struct ListedPaths {
    paths: Arc<ArchivePaths>,
    list: Option<Stamp>,
}

impl Followed {
    pub(super) fn new(paths: ArchivePaths) -> Followed {
        Followed(RwLock::new(ListedPaths { paths: Arc::new(paths), list: None }))
    }

    /// The files that are listed now.
    pub(super) fn now(&self) -> Result<Arc<ArchivePaths>> {
        let paths = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let lists = known.paths.lists();
            if lists.is_empty() || known.list.is_some() && known.list == stamp(lists) {
                return Ok(Arc::clone(&known.paths));
            }
            Arc::clone(&known.paths)
        };
        // A list that is replaced while it is read has another stamp than this one.
        let list = stamp(paths.lists());
        let paths = Arc::new(paths.listed_now()?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) =
            ListedPaths { paths: Arc::clone(&paths), list };
        Ok(paths)
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::archive::WritableArchive;

    #[test]
    fn file_times_are_not_trusted_while_there_is_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        fs::write(&pgn, "1. e4 *\n").unwrap();
        crate::import::import_paths(&path, std::slice::from_ref(&pgn), &Default::default()).unwrap();
        let watch = Watch::new(Arc::new(Followed::new(ArchivePaths::from(&path)))).unwrap();
        let is_settled = || {
            sleep(2 * TICK);
            watch.state().unwrap();
            watch.seen.read().unwrap().settled.is_some()
        };
        assert!(is_settled());
        let writer = WritableArchive::create_or_open(&path).unwrap();
        let mut writer = writer.into_writer();
        writer.add_source("another").unwrap();
        writer.commit().unwrap();
        assert!(fs::metadata(log_of(&path)).unwrap().len() > 0);
        assert!(!is_settled());
        writer.finish().unwrap().finish().unwrap();
        watch.state().unwrap();
        assert!(is_settled());
    }

    #[test]
    fn every_change_is_seen_immediately_and_only_changes_are() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        let import = |number: usize| {
            fs::write(&pgn, format!("[Round \"{number}\"]\n\n1. e4 *\n")).unwrap();
            crate::import::import_paths(&path, std::slice::from_ref(&pgn), &Default::default()).unwrap();
        };
        import(0);
        let watch = Watch::new(Arc::new(Followed::new(ArchivePaths::from(&path)))).unwrap();
        let mut last = watch.state().unwrap();
        for number in 1..20 {
            // Some changes follow each other within a tick, others do not.
            if number % 5 == 0 {
                sleep(2 * TICK);
                assert_eq!((watch.state(), watch.state()), (Some(last), Some(last)));
                assert!(watch.seen.read().unwrap().settled.is_some());
            }
            import(number);
            let now = watch.state().unwrap();
            assert!(now > last, "{number}");
            assert_eq!(watch.state(), Some(now));
            last = now;
        }
    }
}
