//! Only one program at a time changes a catalogue: it locks a lock file, and the system releases the lock when the
//! program ends for any reason.

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

/// How often to retry while another program holds the lock.
const LOOK: Duration = Duration::from_millis(20);

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a collection. Waits for other programs up to a limit, or until `cancel` is set.
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

    /// Takes a lock file, which is created if it does not exist; `None` if another program holds it.
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
