//! Games in batches, so that all cores have work and the memory stays bounded.

use crate::archive::{Archive, ArchiveError, Filter};
use crate::record::StoredGame;

/// Games of a batch.
const BATCH: usize = 4096;

/// Hands the games that pass a filter to `each` in batches.
///
/// # Errors
/// SQLite's, a game that cannot be read, or what `each` says.
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
