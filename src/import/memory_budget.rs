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
struct BudgetState {
    held: usize,
    /// The number of the batch that the writer needs next.
    wanted: u64,
    closed: bool,
}

/// How much memory each batch has reserved.
#[derive(Debug, Default)]
// Memory is limited in bytes, not in batches. A fixed number of batches per thread was not a limit: a single game can
// have 16 MiB, and the total grew with the number of threads.
pub(super) struct MemoryBudget {
    state: Mutex<BudgetState>,
    changed: Condvar,
}

impl MemoryBudget {
    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut BudgetState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits while a condition keeps a batch from its reservation.
    fn wait(&self, state: MutexGuard<'_, BudgetState>, keeps: impl Fn(&BudgetState) -> bool) {
        let waited = self.changed.wait_while(state, |state| !state.closed && keeps(state));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until there is space for a batch. `None` if there is no writer any more.
    pub(super) fn reservation(self: &Arc<MemoryBudget>, number: u64, bytes: usize) -> Option<Reservation> {
        // Without `held > 0`, a batch that is larger than the limit would wait forever.
        self.wait(self.state(), |state| state.held > 0 && state.held + bytes > BATCHES_MEMORY);
        let mut state = self.state();
        if state.closed {
            return None;
        }
        state.held += bytes;
        Some(Reservation { memory_budget: Arc::clone(self), number, bytes })
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
pub(super) struct Reservation {
    memory_budget: Arc<MemoryBudget>,
    number: u64,
    pub bytes: usize,
}

impl Reservation {
    /// Updates the memory used by the batch, and waits if it exceeds the limit together with the other batches.
    pub(super) fn reserve(&mut self, bytes: usize) {
        let before = std::mem::replace(&mut self.bytes, bytes);
        self.memory_budget.change(|state| state.held = state.held - before + bytes);
        if bytes > before {
            // The batch that the writer needs must not wait: everything else waits for the writer, so nothing would
            // ever be released.
            let full = |state: &BudgetState| state.held > BATCHES_MEMORY && state.wanted < self.number;
            self.memory_budget.wait(self.memory_budget.state(), full);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory_budget.change(|state| state.held -= self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread, time::Duration};

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn batches_wait_for_memory_unless_alone() {
        let memory_budget = Arc::new(MemoryBudget::default());
        let huge = memory_budget.reservation(0, 10 * BATCHES_MEMORY).unwrap();
        let (sender, receiver) = mpsc::channel();
        let other = Arc::clone(&memory_budget);
        thread::spawn(move || sender.send(other.reservation(1, 1).unwrap()).unwrap());
        assert!(receiver.recv_timeout(SOON).is_err());
        drop(huge);
        assert_eq!(receiver.recv().unwrap().bytes, 1);
        assert!(memory_budget.is_idle());
    }

    #[test]
    fn growing_batches_wait_until_the_writer_needs_them() {
        let memory_budget = Arc::new(MemoryBudget::default());
        let [first, mut second] = [0, 1].map(|number| memory_budget.reservation(number, 1).unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            second.reserve(2 * BATCHES_MEMORY);
            sender.send(second).unwrap();
        });
        assert!(receiver.recv_timeout(SOON).is_err());
        memory_budget.want(1);
        drop((receiver.recv().unwrap(), first));
        assert!(memory_budget.is_idle());
    }

    #[test]
    fn nothing_waits_for_a_stopped_writer() {
        let memory_budget = Arc::new(MemoryBudget::default());
        let _all = memory_budget.reservation(0, BATCHES_MEMORY).unwrap();
        let other = Arc::clone(&memory_budget);
        let waiting = thread::spawn(move || other.reservation(1, 1).is_none());
        memory_budget.close();
        assert!(waiting.join().unwrap());
    }
}
