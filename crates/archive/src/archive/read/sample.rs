//! An evenly spread sample of the games that pass a filter.

use super::{Filter, GameSet, Selection};
use crate::archive::ArchiveError;
use plybook_record::GameId;

impl Selection<'_> {
    /// A filter for at most `games` of the games that pass another filter, evenly spread.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn sample(self, filter: &Filter, games: u64) -> Result<Filter, ArchiveError> {
        let all: Vec<GameId> = self.archive.list::<GameId>(filter).collect::<Result<_, _>>()?;
        let chosen = (0..).zip(&all).filter(|(place, _)| is_chosen(*place, games, all.len() as u64));
        let among: GameSet = chosen.map(|(_, id)| *id).collect();
        Ok(Filter { among: Some(among), limit: None, offset: 0, ..filter.clone() })
    }
}

/// Whether the game at a 0-based index is one of `sample` evenly spread over `games`.
fn is_chosen(place: u64, sample: u64, games: u64) -> bool {
    let before = |place: u64| u128::from(place) * u128::from(sample) / u128::from(games.max(1));
    before(place) != before(place + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn samples_have_the_requested_size_and_are_evenly_spread() {
        for (sample, games) in [(0, 5), (1, 5), (3, 10), (10, 10), (99, 10), (7, 1000)] {
            let chosen: Vec<u64> =
                (0..games).filter(|&place| super::is_chosen(place, sample, games)).collect();
            assert_eq!(chosen.len() as u64, sample.min(games));
            let gaps = chosen.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.clone().max() <= gaps.min().map(|least| least + 1));
        }
    }
}
