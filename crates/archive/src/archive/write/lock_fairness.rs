//! Two importers into one archive take turns. SQLite's lock is not fair: whoever has just let go of it gets it
//! back before the other has looked again, so a writer makes room between two batches.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use crate::archive::{Archive, ArchiveError};

/// Long enough for one who waits to look again several times.
const PAUSE: Duration = Duration::from_millis(8);

/// How often room is made where nobody seems to want it.
const NOW_AND_THEN: Duration = Duration::from_secs(1);

/// When a writer makes room.
#[derive(Debug)]
pub(in crate::archive) struct LockFairness {
    last: Instant,
    /// SQLite's number that changes when another connection has written.
    version: i64,
}

impl LockFairness {
    pub(in crate::archive) fn new() -> LockFairness {
        LockFairness { last: Instant::now(), version: 0 }
    }

    /// Between two batches: lets another writer in, if there is one or there has been no room for a while.
    pub(in crate::archive) fn yield_lock(&mut self, archive: &Archive) -> Result<(), ArchiveError> {
        let version = archive.db.pragma("data_version")?;
        if version != self.version || self.last.elapsed() > NOW_AND_THEN {
            sleep(PAUSE);
            self.last = Instant::now();
        }
        self.version = version;
        Ok(())
    }
}
