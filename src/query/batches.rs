//! Processing games on all cores, with a watch.

use super::Context;
use crate::archive::{self, Result};

/// Calls `work` for batches of games on all cores, and `join` on this thread for each result, in any order. The watch
/// of the context receives the number of games processed.
pub(crate) fn in_batches<T: Send, R: Send>(
    context: Context<'_>,
    games: impl Iterator<Item = Result<T>>,
    work: impl Fn(Vec<T>) -> R + Sync,
    mut join: impl FnMut(R),
) -> Result<()> {
    let mut seen = 0;
    let work = |games: Vec<T>| (games.len() as u64, work(games));
    archive::in_batches(games, work, |(games, result)| {
        join(result);
        seen += games;
        context.seen(seen)
    })
}
