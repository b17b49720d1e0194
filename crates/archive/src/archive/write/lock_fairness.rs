//! Lets two importers into one archive take turns. SQLite's lock is not fair: a writer that releases it usually gets it
//! back before the other one retries, so a writer pauses between batches.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use crate::archive::{Archive, ArchiveError};

/// Long enough for a waiting writer to retry several times.
// A waiting writer retries every 2 ms. Without pauses it can starve: two importers into one archive would run one
// after the other, and the second one would time out.
const PAUSE: Duration = Duration::from_millis(8);

/// How often to pause if no other writer has been seen.
const NOW_AND_THEN: Duration = Duration::from_secs(1);

/// When a writer pauses.
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

    /// Called between two batches: pauses if there is another writer, or if the last pause was long ago.
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
