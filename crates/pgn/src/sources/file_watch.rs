//! Tells whether a file is changed while it is read, by its size and time of change.

use std::{
    fs::{File, Metadata},
    thread,
    time::{Duration, SystemTime},
};

/// A file that was changed so lately may be in the midst of being written.
const LATELY: Duration = Duration::from_secs(2);

/// How long such a file is waited for.
const MOMENT: Duration = Duration::from_millis(300);

/// Watches a file; or nothing, as a pipe has no other version.
#[derive(Debug, Default)]
pub struct FileWatch {
    file: Option<(File, Metadata)>,
}

/// What has happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// Nothing.
    None,
    /// It is longer than it was.
    Grown,
    /// It is shorter, or has been written over.
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

    /// What has happened to the file since it was opened.
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

    /// The same; a file that was changed just before is waited for a moment.
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

/// Whether a file was changed so lately that another change could bear the same time.
pub fn is_fresh(file: &Metadata) -> bool {
    let is_fresh = |changed: SystemTime| {
        let now = SystemTime::now();
        now.duration_since(changed).unwrap_or_else(|ahead| ahead.duration()) < LATELY
    };
    file.modified().map_or(true, is_fresh) || own_change(file).is_some_and(is_fresh)
}

/// When a file was last changed in any way, be it only its name or times, where the system tells.
#[cfg(unix)]
pub fn own_change(file: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(file.ctime()).ok()?;
    let nanos = u32::try_from(file.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}

/// When a file was last changed in any way: this system does not tell.
#[cfg(not(unix))]
pub fn own_change(_: &Metadata) -> Option<SystemTime> {
    None
}
