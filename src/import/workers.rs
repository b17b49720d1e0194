//! The threads that parse and encode games. Memory freed by one thread is not reused by others, so large batches run on
//! only a few threads.

use std::{num::NonZero, sync::Arc, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::ImportError;
use crate::limits::MAX_THREADS;

/// Batches at least this large are parsed by the source reader itself; all others wait for them.
const HUGE: usize = 4 << 20;

/// Batches with a game at least this large run on one of a few threads.
const LARGE_GAME: usize = 64 << 10;

/// The number of those threads.
// The system's allocator keeps an arena per thread, and memory freed in one is not used by another. If every thread
// parsed large games, the memory of an import would grow with the number of threads.
const FEW: usize = 4;

/// The threads of an import.
pub(super) struct Workers {
    /// All threads, also used for other work.
    pub all: Arc<ThreadPool>,
    few: ThreadPool,
}

impl Workers {
    /// The requested number of threads; 0 is one per core.
    pub(super) fn new(wanted: usize) -> Result<Workers, ImportError> {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if wanted == 0 { cores() } else { wanted }.min(MAX_THREADS);
        let pool = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| ImportError::Threads(error.to_string()))
        };
        Ok(Workers { all: Arc::new(pool(threads)?), few: pool(threads.min(FEW))? })
    }

    /// Runs some work, with an estimate of its memory and the size of its largest game.
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
