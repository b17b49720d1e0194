//! Detects whether a file changes while it is read, by its size and modification time.

use std::{
    fs::{File, Metadata},
    thread,
    time::{Duration, SystemTime},
};

/// A file modified within this time may still be being written.
const LATELY: Duration = Duration::from_secs(2);

/// How long to wait for such a file.
const MOMENT: Duration = Duration::from_millis(300);

/// Watches a file; or nothing, because a pipe cannot be checked.
#[derive(Debug, Default)]
pub struct FileWatch {
    file: Option<(File, Metadata)>,
}

/// How a file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// It has not.
    None,
    /// It is longer.
    Grown,
    /// It is shorter or was overwritten.
    Other,
}

impl FileWatch {
    pub(super) fn new(file: &File) -> FileWatch {
        let metadata = || {
            let metadata = file.metadata().ok().filter(Metadata::is_file)?;
            Some((file.try_clone().ok()?, metadata))
        };
        FileWatch { file: metadata() }
    }

    /// How the file has changed since it was opened.
    pub fn change(&self) -> FileChange {
        let Some((file, before)) = &self.file else { return FileChange::None };
        match file.metadata() {
            Ok(now) if now.len() > before.len() => FileChange::Grown,
            Ok(now) if now.len() == before.len() && now.modified().ok() == before.modified().ok() => {
                FileChange::None
            }
            _ => FileChange::Other,
        }
    }

    /// Like [`change`](FileWatch::change), but waits a moment if the file was modified just before it was opened.
    pub fn change_in_a_moment(&self) -> FileChange {
        let change = self.change();
        let Some((_, before)) = &self.file else { return change };
        if change == FileChange::None && is_fresh(before) {
            thread::sleep(MOMENT);
            return self.change();
        }
        change
    }
}

/// Whether a file was modified so recently that a further change could have the same timestamp.
pub fn is_fresh(file: &Metadata) -> bool {
    let is_fresh = |changed: SystemTime| {
        let now = SystemTime::now();
        now.duration_since(changed).unwrap_or_else(|ahead| ahead.duration()) < LATELY
    };
    file.modified().map_or(true, is_fresh) || own_change(file).is_some_and(is_fresh)
}

/// When the file was last changed in any way, including its name or timestamps, if the system reports it.
#[cfg(unix)]
pub fn own_change(file: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(file.ctime()).ok()?;
    let nanos = u32::try_from(file.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}

/// This system does not report when a file was last changed in any way.
#[cfg(not(unix))]
pub fn own_change(_: &Metadata) -> Option<SystemTime> {
    None
}
