//! A limit on the memory of all batches in flight, from the source reader to the writer, independent of the number of
//! threads.
//!
//! The source reader waits for space before it submits a batch for parsing; a parser waits if games take more memory
//! than estimated. The batch that the writer needs next never waits, and a batch is always admitted if it is the only
//! one. So the import cannot deadlock, however large a game is.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::BATCHES_MEMORY;

/// Estimated bytes of an unparsed game, in addition to its text.
// Tiny games set this value: a game of a few bytes of text still needs a row, a fingerprint, tag pairs and its
// location.
const A_GAME: usize = 1 << 10;

/// The largest game of a batch is in memory this many times while it is parsed and encoded.
const COPIES: usize = 3;

/// Estimates the memory of a batch while it is parsed.
pub(super) fn estimate(text: usize, games: usize, largest: usize) -> usize {
    text + games * A_GAME + COPIES * largest
}

#[derive(Debug, Default)]
struct State {
    held: usize,
    /// The number of the batch that the writer needs next.
    wanted: u64,
    closed: bool,
}

/// How much memory each batch has reserved.
#[derive(Debug, Default)]
// Memory is limited in bytes, not in batches. A fixed number of batches per thread was not a limit: a single game can
// have 16 MiB, and the total grew with the number of threads.
pub(super) struct Budget {
    state: Mutex<State>,
    changed: Condvar,
}

impl Budget {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits while a condition keeps a batch from its reservation.
    fn wait(&self, state: MutexGuard<'_, State>, keeps: impl Fn(&State) -> bool) {
        let waited = self.changed.wait_while(state, |state| !state.closed && keeps(state));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until there is space for a batch. `None` if there is no writer any more.
    pub(super) fn share(self: &Arc<Budget>, number: u64, bytes: usize) -> Option<Share> {
        // Without `held > 0`, a batch that is larger than the limit would wait forever.
        self.wait(self.state(), |state| state.held > 0 && state.held + bytes > BATCHES_MEMORY);
        let mut state = self.state();
        if state.closed {
            return None;
        }
        state.held += bytes;
        Some(Share { budget: Arc::clone(self), number, bytes })
    }

    /// The writer is waiting for this batch.
    pub(super) fn want(&self, number: u64) {
        self.change(|state| state.wanted = number);
    }

    /// Whether no batch is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.state().held == 0
    }

    /// Wakes all waiting threads, because there is no writer any more.
    pub(super) fn close(&self) {
        self.change(|state| state.closed = true);
    }
}

/// The memory reserved for a batch, released on drop.
#[derive(Debug)]
pub(super) struct Share {
    budget: Arc<Budget>,
    number: u64,
    bytes: usize,
}

impl Share {
    /// Updates the memory used by the batch, and waits if it exceeds the limit together with the other batches.
    pub(super) fn hold(&mut self, bytes: usize) {
        let before = std::mem::replace(&mut self.bytes, bytes);
        self.budget.change(|state| state.held = state.held - before + bytes);
        if bytes > before {
            // The batch that the writer needs must not wait: everything else waits for the writer, so nothing would
            // ever be released.
            let full = |state: &State| state.held > BATCHES_MEMORY && state.wanted < self.number;
            self.budget.wait(self.budget.state(), full);
        }
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.change(|state| state.held -= self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread, time::Duration};

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn batches_wait_for_memory_unless_alone() {
        let budget = Arc::new(Budget::default());
        let huge = budget.share(0, 10 * BATCHES_MEMORY).unwrap();
        let (sender, receiver) = mpsc::channel();
        let other = Arc::clone(&budget);
        thread::spawn(move || sender.send(other.share(1, 1).unwrap()).unwrap());
        assert!(receiver.recv_timeout(SOON).is_err());
        drop(huge);
        assert_eq!(receiver.recv().unwrap().bytes(), 1);
        assert!(budget.is_idle());
    }

    #[test]
    fn growing_batches_wait_until_the_writer_needs_them() {
        let budget = Arc::new(Budget::default());
        let [first, mut second] = [0, 1].map(|number| budget.share(number, 1).unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            second.hold(2 * BATCHES_MEMORY);
            sender.send(second).unwrap();
        });
        assert!(receiver.recv_timeout(SOON).is_err());
        budget.want(1);
        drop((receiver.recv().unwrap(), first));
        assert!(budget.is_idle());
    }

    #[test]
    fn nothing_waits_for_a_stopped_writer() {
        let budget = Arc::new(Budget::default());
        let _all = budget.share(0, BATCHES_MEMORY).unwrap();
        let other = Arc::clone(&budget);
        let waiting = thread::spawn(move || other.share(1, 1).is_none());
        budget.close();
        assert!(waiting.join().unwrap());
    }
}
