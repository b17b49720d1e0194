//! Games in batches, so that all cores have work and the memory stays bounded.

use crate::archive::{Archive, ArchiveError, Filter};
use crate::record::StoredGame;

/// Games of a batch.
const BATCH: usize = 4096;

/// Hands the games that pass a filter to `each` in batches: all of them, or `sample` games evenly spread over
/// them (all, if there are no more).
///
/// # Errors
/// SQLite's, a game that cannot be read, or what `each` says.
pub(super) fn for_batches(
    archive: &Archive,
    filter: &Filter,
    sample: Option<u64>,
    mut each: impl FnMut(&[StoredGame]) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let spread = match sample {
        Some(sample) => Some((sample, count(archive, filter)?)),
        None => None,
    };
    let mut batch = Vec::with_capacity(BATCH);
    for (game, place) in archive.games(filter).zip(0..) {
        if spread.is_some_and(|(sample, games)| !is_chosen(place, sample, games)) {
            continue;
        }
        batch.push(game?);
        if batch.len() == BATCH {
            each(&batch)?;
            batch.clear();
        }
    }
    each(&batch)
}

/// The number of games that pass a filter.
fn count(archive: &Archive, filter: &Filter) -> Result<u64, ArchiveError> {
    archive.lengths(filter).try_fold(0, |games, length| length.map(|_| games + 1))
}

/// Whether the game at a 0-based place is one of `sample` evenly spread over `games`.
fn is_chosen(place: u64, sample: u64, games: u64) -> bool {
    let before = |place: u64| u128::from(place) * u128::from(sample) / u128::from(games.max(1));
    before(place) != before(place + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn samples_are_as_large_as_asked_for_and_evenly_spread() {
        for (sample, games) in [(0, 5), (1, 5), (3, 10), (10, 10), (99, 10), (7, 1000)] {
            let chosen: Vec<u64> =
                (0..games).filter(|&place| super::is_chosen(place, sample, games)).collect();
            assert_eq!(chosen.len() as u64, sample.min(games));
            let gaps = chosen.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.clone().max() <= gaps.min().map(|least| least + 1));
        }
    }
}
