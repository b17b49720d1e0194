//! Where games leave the lines of a repertoire.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use super::{Departure, DepartureKind, Repertoire};
use crate::{
    archive::{Archive, ArchiveError, Filter, Result, Summary, in_batches_in_order},
    chess::{Move, Position},
    query::{Context, GameSums, in_batches},
    record::{GameMetadata, StoredMoves},
};

/// The games that left the lines in the same position with the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepartureSums {
    /// The index of the position.
    pub place: usize,
    /// The move; `None` if the games ended there.
    pub played: Option<Move>,
    /// The reason.
    pub kind: DepartureKind,
    /// The games.
    pub games: GameSums,
}

/// Where the games of an archive leave the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Departures {
    /// Chess games that match the filter and could be replayed.
    pub games: u64,
    /// Games that reach no position of the lines.
    pub outside: u64,
    /// Games that could not be replayed, and were skipped.
    pub damaged: u64,
    /// By position and move, most games first.
    pub sums: Vec<DepartureSums>,
    /// The games that reach each position of the lines, by its index.
    pub reached: Vec<u64>,
}

/// Which departures are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeparturesWanted {
    /// Only of this kind.
    pub kind: Option<DepartureKind>,
    /// Only those of at least this many games.
    pub least: u64,
    /// At most this many of each kind.
    pub most: Option<usize>,
}

impl Departures {
    /// The games that left the lines for this reason.
    pub fn games_of(&self, kind: DepartureKind) -> u64 {
        self.sums.iter().filter(|sum| sum.kind == kind).map(|sum| sum.games.games()).sum()
    }

    /// Where the repertoire's side has no answer, most games first: after a reply of the opponent, and after the end of
    /// a line. If a line ends with that side to move, what it played there does not matter: its games are one sum
    /// without a move.
    pub fn gaps(&self, repertoire: &Repertoire) -> Vec<DepartureSums> {
        let mut gaps: BTreeMap<usize, DepartureSums> = BTreeMap::new();
        let mut found = Vec::new();
        for sum in &self.sums {
            let position = repertoire.position(sum.place);
            let is_own = position.is_some_and(|position| position.turn() == repertoire.owner());
            match sum.kind {
                DepartureKind::End if is_own => {
                    let none = DepartureSums { played: None, games: GameSums::default(), ..*sum };
                    gaps.entry(sum.place).or_insert(none).games.merge(&sum.games);
                }
                DepartureKind::End | DepartureKind::Reply => found.push(*sum),
                DepartureKind::Own | DepartureKind::Finished => {}
            }
        }
        found.extend(gaps.into_values());
        found.sort_by_key(|sum| Reverse(sum.games.games()));
        found
    }

    /// The requested ones: replies, own moves, ends of lines, each with most games first.
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

/// Where the games that match a filter leave the lines, summed up. The watch receives the number of games scanned.
pub fn departures(context: Context<'_>, repertoire: &Repertoire, filter: &Filter) -> Result<Departures> {
    let work = |games: Vec<(StoredMoves, GameMetadata)>| -> Vec<_> {
        let departure = |(moves, facts): (StoredMoves, GameMetadata)| {
            let mut reached = Vec::new();
            let departure = repertoire.departure_after(&moves, |place| reached.push(place));
            reached.sort_unstable();
            reached.dedup();
            (facts, departure, reached)
        };
        games.into_iter().map(departure).collect()
    };
    let mut found = Departures { reached: vec![0; repertoire.positions()], ..Departures::default() };
    let mut sums: HashMap<(usize, Option<Move>), (DepartureKind, GameSums)> = HashMap::new();
    let join = |games: Vec<(GameMetadata, Result<_, _>, Vec<usize>)>| {
        for (facts, departure, reached) in games {
            match departure {
                Ok(Some(Departure { place, played, kind, .. })) => {
                    found.games += 1;
                    sums.entry((place, played)).or_insert((kind, GameSums::default())).1.add(&facts);
                    reached.into_iter().for_each(|place| found.reached[place] += 1);
                }
                Ok(None) => {
                    found.games += 1;
                    found.outside += 1;
                }
                Err(_) => found.damaged += 1,
            }
        }
    };
    in_batches(context, context.archive.list(filter), work, join)?;
    found.sums = sums
        .into_iter()
        .map(|((place, played), (kind, games))| DepartureSums { place, played, kind, games })
        .collect();
    found.sums.sort_unstable_by_key(|sum| (Reverse(sum.games.games()), sum.place, sum.played.map(order)));
    Ok(found)
}

/// An arbitrary but fixed order of the moves in a position.
fn order(m: Move) -> impl Ord {
    (m.from(), m.to(), m.promotion())
}

/// Calls a function with the games that match a filter in its order, each with where it leaves the lines: `None` for
/// games that never reach them, are damaged, or are not chess.
///
/// # Errors
/// An SQLite error, or `each` fails.
pub fn each_departure<E: From<ArchiveError>>(
    archive: &Archive,
    repertoire: &Repertoire,
    filter: &Filter,
    mut each: impl FnMut(Summary, Option<Departure>) -> Result<(), E>,
) -> Result<(), E> {
    let memory = |(summary, moves): &(Summary, Option<StoredMoves>)| {
        size_of_val(summary) + moves.as_ref().map_or(0, |moves| moves.moves.len())
    };
    let work = |games: Vec<(Summary, Option<StoredMoves>)>| -> Vec<_> {
        let departure = |moves: Option<StoredMoves>| repertoire.departure(&moves?).ok()?;
        games.into_iter().map(|(summary, moves)| (summary, departure(moves))).collect()
    };
    let games = archive.list::<(Summary, Option<StoredMoves>)>(filter);
    in_batches_in_order(games, memory, work, |games| {
        games.into_iter().try_for_each(|(summary, departure)| each(summary, departure))
    })
}
