//! A figure of the whole archive that takes long to find, kept until the archive changes.

use std::sync::{Arc, Mutex, PoisonError};

use super::reply::Failure;

/// A state of the archive, and what was found in it.
#[derive(Debug)]
pub(super) struct Kept<T>(Mutex<Option<(u64, Arc<T>)>>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(Mutex::new(None))
    }
}

impl<T> Kept<T> {
    /// What was found in a state of the archive, or is found by `find`; nothing is kept if the state is unknown.
    pub(super) fn get(
        &self,
        state: Option<u64>,
        find: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Arc<T>, Failure> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().as_ref().filter(|(known, _)| Some(*known) == state) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(find()?);
        *kept() = state.map(|state| (state, Arc::clone(&found)));
        Ok(found)
    }
}
