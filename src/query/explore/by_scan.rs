//! Exploring by a replay of all games, on all cores.

use std::ops::ControlFlow;

use super::{Exploration, NoSuchMove, Tally, wanted::Wanted};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Keyed, Move, RunningKey, VariantPosition},
    query::batches::in_batches,
    record::{GameFacts, StoredMoves},
    rules::Rules,
};

/// What the games that pass a filter went on with in a position, by a replay of all of them. Games of standard chess
/// and of Chess960 count alike; for a position of another variant the games of that variant.
///
/// `watch` is told the number of games that have been looked through, and may break off; then there is no answer.
/// Damaged games are passed over.
///
/// # Errors
/// SQLite's.
pub fn explore_by_scan(
    archive: &Archive,
    position: &VariantPosition,
    filter: &Filter,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Exploration>, ArchiveError> {
    let wanted = Wanted::new(position);
    let (mut sum, mut seen) = (Part::new(&wanted), 0);
    let work = |games: Vec<(StoredMoves, GameFacts)>| {
        let mut part = Part::new(&wanted);
        for (moves, facts) in &games {
            part.add(facts, visit(&wanted, position, moves));
        }
        (games.len() as u64, part)
    };
    let is_whole = in_batches(archive.moves_and_facts(&unsorted(filter)), work, |(games, part)| {
        sum.merge(&part);
        seen += games;
        watch(seen)
    })?;
    // Every move of the tally is the index of a legal one.
    let told: Result<_, NoSuchMove> = Exploration::new(position, &sum.tally, &sum.reached);
    Ok(told.ok().filter(|_| is_whole))
}

/// A filter without its order, where that says nothing of which games pass.
fn unsorted(filter: &Filter) -> Filter {
    let mut filter = filter.clone();
    if filter.limit.is_none() && filter.offset == 0 {
        (filter.sort, filter.descending) = Default::default();
    }
    filter
}

/// What has been found in some of the games.
struct Part {
    tally: Tally,
    /// The games that reach the position after each legal move.
    reached: Vec<u64>,
}

/// What a game has to do with a position.
#[derive(Default)]
struct Visit {
    /// The move that it played there the last time; `Some(None)` if it ended there.
    last: Option<Option<u16>>,
    /// The moves that lead from there to positions of the game, each once.
    reached: Vec<u16>,
}

impl Part {
    fn new(wanted: &Wanted) -> Part {
        Part { tally: Tally::default(), reached: vec![0; wanted.moves()] }
    }

    fn add(&mut self, game: &GameFacts, visit: Visit) {
        if let Some(played) = visit.last {
            self.tally.add(game, played);
        }
        visit.reached.into_iter().for_each(|index| self.reached[usize::from(index)] += 1);
    }

    fn merge(&mut self, other: &Part) {
        self.tally.merge(&other.tally);
        self.reached.iter_mut().zip(&other.reached).for_each(|(sum, games)| *sum += games);
    }
}

/// Replays a game. One of other rules, or one that is damaged, does not come by.
fn visit(wanted: &Wanted, position: &VariantPosition, game: &StoredMoves) -> Visit {
    let visited = match game.start() {
        Ok(start) if start.variant() != position.variant() => None,
        Ok(VariantPosition::Chess(start)) => visit_from(wanted, start, game),
        Ok(start) => visit_from(wanted, start, game),
        Err(_) => None,
    };
    visited.unwrap_or_default()
}

fn visit_from<P: Rules<Move = Move> + Keyed>(wanted: &Wanted, start: P, game: &StoredMoves) -> Option<Visit> {
    let (mut visit, mut key) = (Visit::default(), RunningKey::of(&start));
    // Whether the game stands there, until it is known what it plays.
    let (mut stands_there, mut last) = (false, None);
    let replayed = game.replay(start).ok()?.run(|position, m| {
        if let Some(m) = m {
            key.advance(m, position);
            if stands_there {
                last = Some(Some(m));
            }
        }
        stands_there = wanted.is_at(position, key.get());
        if stands_there {
            last = Some(None);
        }
        for index in wanted.leading_to(position, key.get()) {
            if !visit.reached.contains(&index) {
                visit.reached.push(index);
            }
        }
        if wanted.is_behind(position) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    replayed.ok()?;
    visit.last = match last {
        Some(Some(m)) => Some(Some(wanted.index_of(m)?)),
        other => other.map(|_| None),
    };
    Some(visit)
}
