//! Processing games on all cores, with a watch.

use std::ops::ControlFlow;

use crate::archive::{self, Result};

/// Calls `work` for batches of games on all cores, and `join` on this thread for each result, in any order. `watch`
/// receives the number of games processed, and may cancel. Returns whether it was completed.
pub(crate) fn in_batches<T: Send, R: Send>(
    games: impl Iterator<Item = Result<T>>,
    work: impl Fn(Vec<T>) -> R + Sync,
    mut join: impl FnMut(R),
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<bool> {
    let mut seen = 0;
    let work = |games: Vec<T>| (games.len() as u64, work(games));
    archive::in_batches(games, work, |(games, result)| {
        join(result);
        seen += games;
        watch(seen)
    })
}
