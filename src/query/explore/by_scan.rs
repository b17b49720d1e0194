//! Explores by replaying all games on all cores.

use std::ops::ControlFlow;

use super::{Tally, successors::Successors};
use crate::{
    archive::{Filter, Result},
    bits::KeyFilter,
    chess::{Board, Keyed, Move, QuickChess, VariantPosition},
    query::{Context, in_batches},
    record::{GameMetadata, StoredMoves},
    rules::Rules,
};

/// Scans the games that match one of some filters for positions.
pub(in crate::query) fn scan(
    context: Context<'_>,
    search: &Search<'_>,
    filters: &[Filter],
) -> Result<Vec<PartialExploration>> {
    // All positions of a tree or of a preparation are scanned in one pass: reading and replaying the games is most of
    // the cost, and does not grow with the number of positions.
    let mut sums = search.nothing();
    let work = |games: Vec<(StoredMoves, GameMetadata)>| {
        let mut parts = search.nothing();
        for (moves, facts) in &games {
            let visits = search.visits(moves).unwrap_or_default();
            parts.iter_mut().zip(visits).for_each(|(part, visit)| part.add(facts, visit));
        }
        parts
    };
    let merge = |parts: Vec<_>| sums.iter_mut().zip(&parts).for_each(|(sum, part)| sum.merge(part));
    let games = filters.iter().flat_map(|filter| context.archive.list(&unsorted(filter)));
    in_batches(context, games, work, merge)?;
    Ok(sums)
}

/// Calls a function with the games that match one of some filters and played a move in the only position of a search,
/// in any order, each with the last of these moves.
pub(in crate::query) fn scan_each(
    context: Context<'_>,
    search: &Search<'_>,
    filters: &[Filter],
    each: &mut dyn FnMut(&GameMetadata, u16),
) -> Result<()> {
    let work = |games: Vec<(StoredMoves, GameMetadata)>| -> Vec<_> {
        let played = |moves| search.visits(moves)?.pop()?.last?;
        games.iter().filter_map(|(moves, facts)| Some((*facts, played(moves)?))).collect()
    };
    let join = |found: Vec<_>| found.iter().for_each(|(facts, played)| each(facts, *played));
    let games = filters.iter().flat_map(|filter| context.archive.list(&unsorted(filter)));
    in_batches(context, games, work, join)
}

/// A filter without its order, unless the order decides which games match.
pub(in crate::query) fn unsorted(filter: &Filter) -> Filter {
    let mut filter = filter.clone();
    // Sorting hundreds of thousands of games would delay the first replay, and a sum does not depend on the order.
    if filter.limit.is_none() && filter.offset == 0 {
        (filter.sort, filter.descending) = Default::default();
    }
    filter
}

/// The results for a position from some of the games.
pub(in crate::query) struct PartialExploration {
    pub tally: Tally,
    /// The number of games that reach the position after each legal move.
    pub reached: Vec<u64>,
}

/// The relation of a game to a position.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Visit {
    /// The last move played there, even if the game later returned and ended there; `Some(None)` if it reaches the
    /// position and never moves from it.
    pub last: Option<Option<u16>>,
    /// The moves that lead from there to positions of the game, each once.
    pub reached: Vec<u16>,
}

impl PartialExploration {
    fn add(&mut self, game: &GameMetadata, visit: Visit) {
        if let Some(played) = visit.last {
            self.tally.add(game, played);
        }
        visit.reached.into_iter().for_each(|index| self.reached[usize::from(index)] += 1);
    }

    pub fn merge(&mut self, other: &PartialExploration) {
        self.tally.merge(&other.tally);
        self.reached.iter_mut().zip(&other.reached).for_each(|(sum, games)| *sum += games);
    }
}

/// The target positions.
pub(in crate::query) struct Search<'a> {
    positions: &'a [VariantPosition],
    pub wanted: Vec<Successors>,
    /// Hashes of the occupied squares of all targets. They rule out most positions cheaply; a key would have to be updated
    /// throughout every game.
    squares: KeyFilter,
}

impl Search<'_> {
    pub fn new(positions: &[VariantPosition]) -> Search<'_> {
        let wanted: Vec<Successors> = positions.iter().map(Successors::new).collect();
        let boards = wanted.iter().flat_map(Successors::boards);
        Search { positions, squares: KeyFilter::new(boards.map(squares_hash), HASH_BITS), wanted }
    }

    /// Empty results for each position.
    pub fn nothing(&self) -> Vec<PartialExploration> {
        let part = |wanted: &Successors| PartialExploration {
            tally: Tally::default(),
            reached: vec![0; wanted.moves()],
        };
        self.wanted.iter().map(part).collect()
    }

    /// The relation of a game to each position; `None` if it is damaged, or of another variant.
    pub fn visits(&self, game: &StoredMoves) -> Option<Vec<Visit>> {
        let start = game.start().ok()?;
        if self.positions.first()?.variant() != start.variant() {
            return None;
        }
        match start {
            VariantPosition::Chess(start) => self.visits_from(QuickChess::from(&start), game),
            start => self.visits_from(start, game),
        }
    }

    fn visits_from<P: Rules<Move = Move> + Keyed>(&self, start: P, game: &StoredMoves) -> Option<Vec<Visit>> {
        let mut visits = vec![Visit::default(); self.wanted.len()];
        // Positions that the game has just reached, until its next move is known.
        let mut standing: Vec<usize> = Vec::new();
        let replayed = game.replay(start).ok()?.run(|position, m| {
            if let Some(m) = m {
                for place in standing.drain(..) {
                    // Later visits overwrite earlier ones: a game counts under the last move that it played from the
                    // position, as in the public explorers. Counting every visit would make the moves add up to more
                    // than the games (10,634 visits of 10,467 games in the Najdorf).
                    visits[place].last = Some(self.wanted[place].index_of(m));
                }
            }
            // No key is kept along from move to move here. The hash of the occupied squares rejects almost every
            // position, and only the few that pass pay for computing a key.
            if self.squares.may_have(squares_hash(position.board())) {
                self.look(position, position.key(), &mut visits, &mut standing);
            }
            let is_over = self.wanted.iter().all(|wanted| wanted.is_behind(position));
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        replayed.ok().map(|_| visits)
    }

    /// Checks whether a position of a game is one of the targets.
    fn look<P: Keyed>(&self, position: &P, key: u64, visits: &mut [Visit], standing: &mut Vec<usize>) {
        for (place, (wanted, visit)) in self.wanted.iter().zip(visits).enumerate() {
            if wanted.is_at(position, key) {
                // A game that returned and ended there keeps its earlier move; only one that never moved from here
                // counts as ended.
                visit.last.get_or_insert(None);
                standing.push(place);
            }
            for index in wanted.leading_to(position, key) {
                if !visit.reached.contains(&index) {
                    visit.reached.push(index);
                }
            }
        }
    }
}

/// Bits of the filter by occupied squares.
// 2 KiB, which stay in the first-level cache together with the board that is replayed.
const HASH_BITS: usize = 1 << 14;

#[inline]
fn squares_hash(board: &Board) -> u64 {
    board.occupied().0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50
}
