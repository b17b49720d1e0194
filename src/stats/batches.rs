//! Games in batches, to use all cores with limited memory.

use crate::archive::{Archive, ArchiveError, Filter};
use crate::record::StoredGame;

/// The size of a batch.
const BATCH: usize = 4096;

/// Passes the games that match a filter to `each`, in batches.
///
/// # Errors
/// An SQLite error, a game that cannot be read, or an error of `each`.
pub(super) fn for_batches(
    archive: &Archive,
    filter: &Filter,
    mut each: impl FnMut(&[StoredGame]) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let mut batch = Vec::with_capacity(BATCH);
    for game in archive.games(filter) {
        batch.push(game?);
        if batch.len() == BATCH {
            each(&batch)?;
            batch.clear();
        }
    }
    each(&batch)
}
