//! Whether an archive has changed, asked very often.
//!
//! SQLite knows it, but must lock the file to say so. Most times a look at when its files were last written will do: a
//! file that was written since has another time, unless both times are so near that the clock of the file system does
//! not tell them apart.

use std::{
    ffi::OsString,
    fs, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use crate::archive::{Archive, ArchiveError, Patience};

/// Longer than a tick of any clock of a file system.
const TICK: Duration = Duration::from_millis(100);

/// Watches an archive.
#[derive(Debug)]
pub(super) struct Watch {
    path: PathBuf,
    /// The file of what has been written and is not in the archive's own yet.
    log: PathBuf,
    asked: Mutex<Asked>,
    /// Files that cannot have changed unseen since they were looked at, and the state that they are in.
    settled: RwLock<Option<(Files, u64)>>,
}

/// A connection that is asked for nothing else.
#[derive(Debug)]
struct Asked {
    archive: Archive,
    state: u64,
    /// SQLite's number that changes when another connection has written.
    version: i64,
    /// The file that has been copied, if a copy is read in its place.
    copied: Stamp,
}

/// When a file was last written, and its bytes; `None` if there is none.
pub(super) type Stamp = Option<(SystemTime, u64)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Files([Stamp; 2]);

impl Watch {
    pub(super) fn new(path: &Path) -> Result<Watch, ArchiveError> {
        let copied = stamp(path);
        let archive = Archive::open(path)?;
        // SQLite has the log beside the file itself, not beside a link to it.
        let mut log: OsString = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into();
        log.push("-wal");
        Ok(Watch {
            path: path.to_owned(),
            log: log.into(),
            asked: Mutex::new(Asked { archive, state: 0, version: -1, copied }),
            settled: RwLock::default(),
        })
    }

    /// A number that is larger once the archive has changed; `None` if another program is changing it.
    pub(super) fn state(&self) -> Option<u64> {
        let files = self.files();
        let settled = *self.settled.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, state)) = settled.filter(|(known, _)| *known == files) {
            return Some(state);
        }
        let _at_once = Patience { longest: Duration::ZERO, ..Patience::default() }.in_force();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, files) = (SystemTime::now(), self.files());
        asked.ask(files).ok()?;
        let settled = Some((files, asked.state)).filter(|_| files.are_older_than(now));
        *self.settled.write().unwrap_or_else(PoisonError::into_inner) = settled;
        Some(asked.state)
    }

    fn files(&self) -> Files {
        Files([stamp(&self.path), stamp(&self.log)])
    }
}

impl Asked {
    fn ask(&mut self, Files([file, _]): Files) -> Result<(), ArchiveError> {
        let has_changed = if self.archive.older_version().is_some() {
            mem::replace(&mut self.copied, file) != file
        } else {
            let version = self.archive.data_version()?;
            mem::replace(&mut self.version, version) != version
        };
        self.state += u64::from(has_changed);
        Ok(())
    }
}

impl Files {
    /// Whether all that was written later than now would have another time.
    fn are_older_than(&self, now: SystemTime) -> bool {
        let is_older = |stamp: &(SystemTime, u64)| now.duration_since(stamp.0).is_ok_and(|age| age > TICK);
        self.0.iter().flatten().all(is_older)
    }
}

pub(super) fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn every_change_is_seen_at_once_and_only_changes_are() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        let import = |number: usize| {
            fs::write(&pgn, format!("[Round \"{number}\"]\n\n1. e4 *\n")).unwrap();
            crate::import::import_paths(&path, std::slice::from_ref(&pgn), &Default::default()).unwrap();
        };
        import(0);
        let watch = Watch::new(&path).unwrap();
        let mut last = watch.state().unwrap();
        for number in 1..20 {
            // Some changes follow each other within a tick, others do not.
            if number % 5 == 0 {
                sleep(2 * TICK);
                assert_eq!((watch.state(), watch.state()), (Some(last), Some(last)));
                assert!(watch.settled.read().unwrap().is_some());
            }
            import(number);
            let now = watch.state().unwrap();
            assert!(now > last, "{number}");
            assert_eq!(watch.state(), Some(now));
            last = now;
        }
    }
}
