//! Where the games of an archive leave a repertoire.

use std::{cmp::Reverse, collections::HashMap, ops::ControlFlow};

use super::{Departure, DepartureKind, Repertoire};
use crate::{
    archive::{Archive, ArchiveError, Filter, Summary, in_batches, in_batches_in_order},
    chess::Move,
    query::GameSums,
    record::{GameFacts, StoredMoves},
};

/// The games that left the lines in a position with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepartureSums {
    /// The number of the position.
    pub place: usize,
    /// The move; `None` if the games ended there.
    pub played: Option<Move>,
    /// Why.
    pub kind: DepartureKind,
    /// The games.
    pub games: GameSums,
}

/// Where the games of an archive leave the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Departures {
    /// Games of chess that pass the filter, and could be replayed.
    pub games: u64,
    /// Those of them that no position of the lines stood in.
    pub outside: u64,
    /// Games that could not be replayed, and were passed over.
    pub damaged: u64,
    /// By position and move: most games first.
    pub sums: Vec<DepartureSums>,
}

/// Which departures are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeparturesWanted {
    /// Only of this kind.
    pub kind: Option<DepartureKind>,
    /// Only those of at least that many games.
    pub least: u64,
    /// At most that many of each kind.
    pub most: Option<usize>,
}

impl Departures {
    /// The games that left the lines for this reason.
    pub fn games_of(&self, kind: DepartureKind) -> u64 {
        self.sums.iter().filter(|sum| sum.kind == kind).map(|sum| sum.games.games()).sum()
    }

    /// Those that are wanted: replies, own moves, ends of lines, of each kind those with most games first.
    pub fn chosen(&self, wanted: DeparturesWanted) -> impl Iterator<Item = &DepartureSums> {
        let kinds = [DepartureKind::Reply, DepartureKind::Own, DepartureKind::End];
        let kinds = kinds.into_iter().filter(move |kind| wanted.kind.is_none_or(|wanted| wanted == *kind));
        kinds.flat_map(move |kind| {
            let of_kind =
                self.sums.iter().filter(move |sum| sum.kind == kind && sum.games.games() >= wanted.least);
            of_kind.take(wanted.most.unwrap_or(usize::MAX))
        })
    }
}

/// Where the games that pass a filter leave the lines, summed up. `watch` is told the number of games that have been looked
/// through, and may break off; then there is no answer.
///
/// # Errors
/// SQLite's.
pub fn departures(
    archive: &Archive,
    repertoire: &Repertoire,
    filter: &Filter,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Departures>, ArchiveError> {
    let work = |games: Vec<(StoredMoves, GameFacts)>| -> Vec<_> {
        games.into_iter().map(|(moves, facts)| (facts, repertoire.departure(&moves))).collect()
    };
    let (mut found, mut seen) = (Departures::default(), 0);
    let mut sums: HashMap<(usize, Option<Move>), (DepartureKind, GameSums)> = HashMap::new();
    let is_whole = in_batches(archive.list::<(StoredMoves, GameFacts)>(filter), work, |games| {
        seen += games.len() as u64;
        for (facts, departure) in games {
            match departure {
                Ok(Some(Departure { place, played, kind, .. })) => {
                    found.games += 1;
                    sums.entry((place, played)).or_insert((kind, GameSums::default())).1.add(&facts);
                }
                Ok(None) => {
                    found.games += 1;
                    found.outside += 1;
                }
                Err(_) => found.damaged += 1,
            }
        }
        watch(seen)
    })?;
    found.sums = sums
        .into_iter()
        .map(|((place, played), (kind, games))| DepartureSums { place, played, kind, games })
        .collect();
    found.sums.sort_unstable_by_key(|sum| (Reverse(sum.games.games()), sum.place, sum.played.map(order)));
    Ok(is_whole.then_some(found))
}

/// Something by which moves of a position are in order.
fn order(m: Move) -> impl Ord {
    (m.from(), m.to(), m.promotion())
}

/// Hands over the games that pass a filter in its order, each with where it leaves the lines: `None` for one that was never
/// in them, and for one that is damaged or of no chess. Gives whether `each` did not break off.
///
/// # Errors
/// SQLite's, or `each` fails.
pub fn each_departure<E: From<ArchiveError>>(
    archive: &Archive,
    repertoire: &Repertoire,
    filter: &Filter,
    mut each: impl FnMut(Summary, Option<Departure>) -> Result<ControlFlow<()>, E>,
) -> Result<bool, E> {
    let memory = |(summary, moves): &(Summary, Option<StoredMoves>)| {
        size_of_val(summary) + moves.as_ref().map_or(0, |moves| moves.moves.len())
    };
    let work = |games: Vec<(Summary, Option<StoredMoves>)>| -> Vec<_> {
        let departure = |moves: Option<StoredMoves>| repertoire.departure(&moves?).ok()?;
        games.into_iter().map(|(summary, moves)| (summary, departure(moves))).collect()
    };
    let (games, mut failed) = (archive.list::<(Summary, Option<StoredMoves>)>(filter), None);
    let is_whole = in_batches_in_order(games, memory, work, |games| {
        games.into_iter().try_for_each(|(summary, departure)| {
            each(summary, departure).unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        })
    })?;
    failed.map_or(Ok(is_whole), Err)
}
