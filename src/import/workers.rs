//! The threads on which games are parsed and encoded. Memory that one thread frees serves no other, so few of them do
//! what takes much.

use std::{num::NonZero, sync::Arc, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::ImportError;
use crate::limits::MAX_THREADS;

/// Bytes of a batch so large that the others have to wait for it: the source reader parses it itself.
const HUGE: usize = 4 << 20;

/// Bytes of a game from which on one of a few threads parses its batch.
const LARGE_GAME: usize = 64 << 10;

/// How many those are at most.
const FEW: usize = 4;

/// The threads of an import.
pub(super) struct Workers {
    /// All of them, for other work too.
    pub all: Arc<ThreadPool>,
    few: ThreadPool,
}

impl Workers {
    /// As many threads as wanted; 0 is one for each core.
    pub(super) fn new(wanted: usize) -> Result<Workers, ImportError> {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if wanted == 0 { cores() } else { wanted }.min(MAX_THREADS);
        let pool = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| ImportError::Threads(error.to_string()))
        };
        Ok(Workers { all: Arc::new(pool(threads)?), few: pool(threads.min(FEW))? })
    }

    /// Does some work on a batch that takes about so many bytes and has a game of so many.
    pub(super) fn spawn(&self, bytes: usize, largest_game: usize, work: impl FnOnce() + Send + 'static) {
        if bytes >= HUGE {
            work();
        } else if largest_game >= LARGE_GAME {
            self.few.spawn(work);
        } else {
            self.all.spawn(work);
        }
    }
}
