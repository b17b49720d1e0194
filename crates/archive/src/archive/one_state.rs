//! Reading one state of an archive for a long time, while other programs write to it.
//!
//! In a rollback journal, a transaction that reads makes every writer wait, so it may only be short. In a write-ahead
//! log it makes nobody wait, but the switch to it writes to the file, and an archive that nobody changes is not changed
//! by reading it.

use std::{ops::Deref, time::Duration};

use super::{Archive, BusyTimeout, Result};

/// The largest archive that is read so quickly that writers can wait for it.
// 160,000 master games, which an import copies in a tenth of a second, or imports one by one in less than one.
const QUICK_BYTES: u64 = 16 << 20;

/// How long to wait for readers that prevent the switch to a write-ahead log.
const SWITCH_TIMEOUT: Duration = Duration::from_secs(1);

impl Archive {
    /// Calls a function that reads an archive for a long time, so that all it reads is of one state. If the archive is
    /// changed meanwhile, the result is discarded, and the function is called again with an archive that is
    /// [held](Archive::held).
    ///
    /// # Errors
    /// Those of the functions.
    pub fn read_one_state<T, E>(
        open: impl Fn() -> Result<Archive, E>,
        mut read: impl FnMut(&Archive) -> Result<T, E>,
    ) -> Result<T, E> {
        let archive = open()?;
        if !archive.is_logged() {
            let before = archive.data_version().ok();
            let done = read(&archive);
            if before == archive.data_version().ok() {
                return done;
            }
        }
        // Opened again, because everything known of the earlier state is obsolete.
        drop(archive);
        read(&open()?.held(false))
    }

    /// Holds the present state until the result is dropped. Other programs can write meanwhile, for which the archive
    /// is switched to a write-ahead log; but if it is small and `is_quick`, so that nothing will delay reading it, they
    /// wait. An archive that cannot be written is read as it is.
    pub fn held(self, is_quick: bool) -> HeldArchive {
        let is_quick = is_quick && self.bytes() <= QUICK_BYTES;
        let timeout = BusyTimeout { longest: SWITCH_TIMEOUT, tell: None, ..BusyTimeout::of_thread() };
        let in_force = timeout.in_force();
        for file in self.files().each().filter(|file| file.is_writable()) {
            // If this fails, because another program is reading, the transaction makes writers wait; or the archive is
            // damaged, which the caller will find.
            if !is_quick {
                let _ = file.db.run("PRAGMA query_only = OFF").and_then(|()| file.begin_log());
                let _ = file.db.run("PRAGMA query_only = ON");
            }
            let _ = file.begun().try_for_each(|file| file.map(drop));
        }
        drop(in_force);
        HeldArchive { archive: self, is_held: true }
    }

    /// Whether another program may be writing: then there is a write-ahead log.
    fn is_logged(&self) -> bool {
        self.files().each().any(|file| file.is_writable() && file.has_log())
    }

    fn is_writable(&self) -> bool {
        self.older_version().is_none() && !self.is_copy() && !self.db.is_readonly("main").unwrap_or(true)
    }
}

/// An archive of which one state is held.
#[derive(Debug)]
pub struct HeldArchive {
    archive: Archive,
    is_held: bool,
}

/// Without holding a state.
impl From<Archive> for HeldArchive {
    fn from(archive: Archive) -> HeldArchive {
        HeldArchive { archive, is_held: false }
    }
}

impl Deref for HeldArchive {
    type Target = Archive;

    fn deref(&self) -> &Archive {
        &self.archive
    }
}

impl Drop for HeldArchive {
    fn drop(&mut self) {
        if !self.is_held {
            return;
        }
        for file in self.archive.files().each().filter(|file| !file.db.is_autocommit()) {
            // Nothing was written, and what fails here is done when the connection is closed.
            let _ = file.db.run("ROLLBACK");
            if file.has_log() {
                let _ = file.db.run("PRAGMA query_only = OFF").and_then(|()| file.end_log());
            }
        }
    }
}
