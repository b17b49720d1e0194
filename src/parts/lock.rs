//! One program at a time changes a catalogue: it holds a lock file, which the system lets go of when the program ends,
//! however that is.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread::sleep,
    time::{Duration, Instant},
};

use super::PartsError;

/// The lock file of a collection.
const NAME: &str = "catalogue.lock";

/// How often it is looked whether the other program has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a collection, for which others are waited for so long, unless `cancel` ends that.
    pub(super) fn take(dir: &Path, longest: Duration, cancel: &AtomicBool) -> Result<Lock, PartsError> {
        let (path, since) = (dir.join(NAME), Instant::now());
        loop {
            if let Some(lock) = Lock::try_file(&path)? {
                return Ok(lock);
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(PartsError::Stopped);
            }
            if since.elapsed() >= longest {
                return Err(PartsError::InUse(dir.to_owned()));
            }
            sleep(LOOK);
        }
    }

    /// Takes a lock file, which is made if it is not there; nothing if another program has it.
    pub(super) fn try_file(path: &Path) -> Result<Option<Lock>, PartsError> {
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let file = opened.map_err(|error| PartsError::io(path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(PartsError::io(path, error)),
        }
    }
}
