//! How often each opening was played, and how it ended.

use std::{cmp::Reverse, ops::ControlFlow};

use super::{GameSums, opening_of};
use crate::{
    archive::{Archive, ArchiveError, Filter, in_batches},
    openings::{OpeningId, Openings},
    record::{GameFacts, StoredMoves},
};

/// The games of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningCount {
    /// The opening; `None` for games without a named position.
    pub opening: Option<OpeningId>,
    /// What became of its games.
    pub sums: GameSums,
}

/// The openings of the games of chess that pass a filter, each game under [its last name](opening_of): most games
/// first, equal ones in the order of the table. All of them are replayed, on all cores. Damaged games are passed over.
///
/// `watch` is told the number of games that have been looked through, and may break off; then there is no answer.
///
/// # Errors
/// SQLite's.
pub fn opening_counts(
    archive: &Archive,
    filter: &Filter,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<OpeningCount>>, ArchiveError> {
    let (mut sums, mut seen) = (Sums::default(), 0);
    let work = |games: Vec<(StoredMoves, GameFacts)>| {
        let named = games.iter().filter_map(|(moves, facts)| Some((opening_of(moves).ok()?, *facts)));
        (games.len() as u64, named.collect::<Vec<_>>())
    };
    let is_whole = in_batches(archive.moves_and_facts(filter), work, |(games, named)| {
        named.iter().for_each(|(opening, facts)| sums.of(*opening).add(facts));
        seen += games;
        watch(seen)
    })?;
    Ok(is_whole.then(|| sums.counts()))
}

/// By the place of the opening in the table.
#[derive(Default)]
struct Sums {
    named: Vec<GameSums>,
    nameless: GameSums,
}

impl Sums {
    fn of(&mut self, opening: Option<OpeningId>) -> &mut GameSums {
        let Some(OpeningId(place)) = opening else { return &mut self.nameless };
        if self.named.is_empty() {
            self.named.resize(Openings::standard().iter().count(), GameSums::default());
        }
        // Every id is a place of the table.
        self.named.get_mut(usize::from(place)).unwrap_or(&mut self.nameless)
    }

    fn counts(self) -> Vec<OpeningCount> {
        let named = (0..).map(OpeningId).map(Some).zip(self.named);
        let all = named.chain([(None, self.nameless)]).filter(|(_, sums)| sums.games() > 0);
        let mut counts: Vec<_> = all.map(|(opening, sums)| OpeningCount { opening, sums }).collect();
        counts.sort_by_key(|count| Reverse(count.sums.games()));
        counts
    }
}
