//! Waiting for other programs that have locked an archive: for how long, and who may cancel it.
//!
//! SQLite's busy handler is a plain function, so the settings are kept per thread.

use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use super::{Archive, ArchiveError, Result};

/// How often to retry.
// SQLite's own busy timeout is not used: it cannot be cancelled, so Ctrl-C would have no effect for up to two
// minutes, and it cannot report that it is waiting. It also sleeps for up to 100 ms, in which another writer can take
// the lock again and again.
const ASKED_EVERY: Duration = Duration::from_millis(2);

/// After how long a wait is reported.
const WARN_AFTER: Duration = Duration::from_secs(1);

/// The default timeout for other programs. Writers yield after every batch, so a program that has waited this long
/// waits for one that hangs.
// Long, because a waiting import loses nothing, while a failed one must be started again. It is not infinite, so that
// a script does not hang on a stopped program.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// How to wait for another program.
#[derive(Clone, Debug)]
pub struct BusyTimeout {
    /// The timeout.
    pub longest: Duration,
    /// Set to true by another thread to cancel the wait.
    pub cancel: Arc<AtomicBool>,
    /// Called once, after waiting for one second.
    pub tell: Option<fn()>,
}

impl Default for BusyTimeout {
    fn default() -> BusyTimeout {
        BusyTimeout { longest: PATIENCE, cancel: Arc::default(), tell: None }
    }
}

/// The settings and how long a wait has lasted.
#[derive(Debug)]
struct Wait {
    busy_timeout: BusyTimeout,
    since: Instant,
    has_warned: bool,
}

thread_local! {
    // The handler is a bare function without data. Several archives may be open in one process with different limits,
    // but a thread waits for only one at a time.
    static WAIT: RefCell<Wait> = RefCell::new(Wait::new(BusyTimeout::default()));
}

impl Wait {
    fn new(busy_timeout: BusyTimeout) -> Wait {
        Wait { busy_timeout, since: Instant::now(), has_warned: false }
    }

    /// Waits briefly; returns false when the timeout is over.
    fn a_little(&mut self, times: i32) -> bool {
        // The first call for a lock starts a new wait; SQLite does not tell when a wait has ended.
        if times == 0 {
            self.since = Instant::now();
        }
        if !self.busy_timeout.lasts(self.since) {
            return false;
        }
        if self.since.elapsed() >= WARN_AFTER && !std::mem::replace(&mut self.has_warned, true) {
            self.busy_timeout.tell.into_iter().for_each(|tell| tell());
        }
        sleep(ASKED_EVERY);
        true
    }
}

/// The settings of a thread, until this is dropped.
#[derive(Debug)]
pub struct InForce(Option<Wait>);

impl BusyTimeout {
    /// The settings of this thread.
    pub(super) fn of_thread() -> BusyTimeout {
        WAIT.with_borrow(|wait| wait.busy_timeout.clone())
    }

    /// Applies them to this thread.
    pub fn in_force(self) -> InForce {
        InForce(Some(WAIT.replace(Wait::new(self))))
    }

    /// Whether to continue waiting.
    fn lasts(&self, since: Instant) -> bool {
        !self.cancel.load(Ordering::Relaxed) && since.elapsed() < self.longest
    }
}

impl Drop for InForce {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(|before| WAIT.set(before));
    }
}

/// Retries an operation for which SQLite does not call the busy handler, until this thread's timeout.
// SQLite returns "busy" directly if waiting could deadlock, as in a change of the journal mode. A writer can also
// start between two attempts, so this is a loop.
pub(super) fn try_again(attempt: impl Fn() -> Result<()>) -> Result<()> {
    let since = Instant::now();
    loop {
        match attempt() {
            Err(ArchiveError::Busy(_) | ArchiveError::Held(_))
                if WAIT.with_borrow(|wait| wait.busy_timeout.lasts(since)) =>
            {
                sleep(ASKED_EVERY);
            }
            other => return other,
        }
    }
}

/// SQLite's busy handler; `times` is the number of previous calls.
pub(super) fn wait(times: i32) -> bool {
    WAIT.with_borrow_mut(|wait| wait.a_little(times))
}

/// Long enough for a waiting writer to retry several times.
// A waiting writer retries every 2 ms. Without pauses it can starve: two importers into one archive would run one
// after the other, and the second one would time out.
const PAUSE: Duration = Duration::from_millis(8);

/// How often to pause if no other writer has been seen.
const NOW_AND_THEN: Duration = Duration::from_secs(1);

/// When a writer pauses, so that two importers into one archive take turns. SQLite's lock is not fair: a writer that
/// releases it usually gets it back before the other one retries.
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
    pub(in crate::archive) fn yield_lock(&mut self, archive: &Archive) -> Result<()> {
        let version = archive.db.pragma("data_version")?;
        if version != self.version || self.last.elapsed() > NOW_AND_THEN {
            sleep(PAUSE);
            self.last = Instant::now();
        }
        self.version = version;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn waiting_ends_at_the_timeout_or_when_cancelled() {
        let short = BusyTimeout { longest: Duration::from_millis(20), ..BusyTimeout::default() };
        let (begin, cancel) = (Instant::now(), Arc::clone(&short.cancel));
        let in_force = short.in_force();
        assert!((0..).any(|times| !wait(times)));
        assert!(begin.elapsed() >= Duration::from_millis(20));
        assert!(wait(0));
        cancel.store(true, Ordering::Relaxed);
        assert!(!wait(0));
        drop(in_force);
        assert!(wait(0));
    }

    #[test]
    fn refused_operations_are_retried_until_the_timeout() {
        let tries = Cell::new(0);
        let busy = || Err(ArchiveError::Busy("x.db".into()));
        let refused_twice = || if tries.replace(tries.get() + 1) < 2 { busy() } else { Ok(()) };
        assert!(try_again(refused_twice).is_ok());
        assert_eq!(tries.get(), 3);
        let _in_force =
            BusyTimeout { longest: Duration::from_millis(20), ..BusyTimeout::default() }.in_force();
        assert!(matches!(try_again(busy), Err(ArchiveError::Busy(_))));
    }
}
