//! A cache of one value, valid until the archive changes: for figures about the whole archive that are slow to compute.

use std::sync::{Arc, Mutex, PoisonError};

use super::Result;

/// A state of the archive, and the value in that state.
#[derive(Debug)]
pub(super) struct StateCache<T>(Mutex<Option<(u64, Arc<T>)>>);

impl<T> Default for StateCache<T> {
    fn default() -> StateCache<T> {
        StateCache(Mutex::new(None))
    }
}

impl<T> StateCache<T> {
    /// The cached value for a state of the archive, or what `find` returns, which is cached unless the state is unknown.
    pub(super) fn get(&self, state: Option<u64>, find: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let cached = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = cached().as_ref().filter(|(known, _)| Some(*known) == state) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(find()?);
        *cached() = state.map(|state| (state, Arc::clone(&found)));
        Ok(found)
    }
}
