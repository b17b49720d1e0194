//! Games in batches: one thread reads them, and works along when the others have enough to do.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::channel,
    },
};

use super::ArchiveError;

/// Games of a batch.
const BATCH: usize = 1024;

/// Hands games in batches to `work`, which is called on all cores, and what comes of each batch to `join`, which is
/// called on this thread, in any order, until it breaks. Gives whether it did not.
///
/// # Errors
/// The first that the games come with.
pub(crate) fn in_batches<T: Send, R: Send>(
    mut games: impl Iterator<Item = Result<T, ArchiveError>>,
    work: impl Fn(Vec<T>) -> R + Sync,
    mut join: impl FnMut(R) -> ControlFlow<()>,
) -> Result<bool, ArchiveError> {
    let (done, results) = channel();
    let (most, under_way) = (2 * rayon::current_num_threads(), AtomicUsize::new(0));
    let read: Result<_, ArchiveError> = rayon::in_place_scope(|scope| {
        loop {
            let batch: Vec<T> = games.by_ref().take(BATCH).collect::<Result<_, _>>()?;
            if batch.is_empty() {
                return Ok(true);
            }
            let (work, under_way, done) = (&work, &under_way, done.clone());
            let task = move || {
                let _ = done.send(work(batch));
                under_way.fetch_sub(1, Relaxed);
            };
            if under_way.fetch_add(1, Relaxed) < most {
                scope.spawn(move |_| task());
            } else {
                // Rather than wait for the others, which might wait for this thread, it takes its part.
                task();
            }
            if results.try_iter().try_for_each(&mut join).is_break() {
                return Ok(false);
            }
        }
    });
    drop(done);
    Ok(read? && results.iter().try_for_each(join).is_continue())
}
