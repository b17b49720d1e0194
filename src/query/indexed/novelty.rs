//! Looks up the positions of a game in other games with the index: popular positions by their records, the others by
//! replaying each candidate game once for all positions of the game.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow::{Break, Continue},
};

use foldhash::fast::RandomState;

use super::range::{GameColumns, SegmentReader};
use crate::{
    archive::Result,
    chess::Board,
    query::{
        Context,
        novelty::{ComparedGame, EarlierGames, FirstTwo, Others, SamePosition, Spot},
        scan::follow,
    },
    record::StoredMoves,
};

impl<'a> Walk<'a> {
    /// Starts to look up the positions of a game in the indexed games. Only games of standard chess and Chess960 are
    /// indexed.
    pub(in crate::query) fn new(
        context: Context<'a>,
        game: &'a ComparedGame,
        others: Others,
    ) -> Result<Walk<'a>> {
        let index = context.index.filter(|_| game.is_chess());
        let ranges = index.into_iter().flat_map(|index| &index.ranges);
        let of = |reader: SegmentReader<'a>| {
            let games = reader.games()?;
            Ok(Segment { reader, games, replayed: HashSet::default(), visits: HashMap::default() })
        };
        let segments = ranges.map(|range| of(range.reader(context.archive))).collect::<Result<_>>()?;
        let least = game.spots.last().map_or(0, |spot| spot.same.occupied.count_ones());
        Ok(Walk { segments, lookup: Lookup { game, plies: game.plies(), least, others } })
    }
}

/// The positions of a game, and their lookups.
pub(in crate::query) struct Walk<'a> {
    segments: Vec<Segment<'a>>,
    lookup: Lookup<'a>,
}

/// What is looked up.
struct Lookup<'a> {
    game: &'a ComparedGame,
    plies: HashMap<SamePosition, usize, RandomState>,
    /// The number of pieces in the last position: a game with fewer pieces cannot reach any of the positions.
    least: u32,
    others: Others,
}

/// A segment, and the games of it that have been replayed.
struct Segment<'a> {
    reader: SegmentReader<'a>,
    games: GameColumns<'a>,
    replayed: HashSet<u32, RandomState>,
    /// The sort positions of the games that reach a position, by its first ply.
    visits: HashMap<usize, Vec<u32>, RandomState>,
}

impl Walk<'_> {
    /// Whether one of the other games reaches the position at a ply.
    pub(in crate::query) fn knows(&mut self, ply: usize, board: &Board) -> Result<bool> {
        let Some(spot) = self.lookup.game.spots.get(ply) else { return Ok(false) };
        for segment in &mut self.segments {
            if segment.knows(&self.lookup, spot, board)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the other games that reach the position at a ply.
    pub(in crate::query) fn add_known(
        &mut self,
        ply: usize,
        board: &Board,
        known: &mut EarlierGames,
    ) -> Result<()> {
        let Some(spot) = self.lookup.game.spots.get(ply) else { return Ok(()) };
        for segment in &mut self.segments {
            let mut ranks: Vec<u32> = match segment.reader.popular(board, spot.same.whole)? {
                Some(position) => position.runs.iter().flat_map(|run| run.ranks()).collect(),
                None => segment.visitors(&self.lookup, spot)?.to_vec(),
            };
            segment.reader.leave_out_stale(&mut ranks)?;
            let (games, others) = (&segment.games, self.lookup.others);
            let others = ranks.into_iter().filter(|rank| others.has(games.order_of(*rank)));
            others.for_each(|rank| known.add(&games.facts(rank)));
        }
        Ok(())
    }
}

impl Segment<'_> {
    fn knows(&mut self, lookup: &Lookup<'_>, spot: &Spot, board: &Board) -> Result<bool> {
        let range = self.reader.range;
        if let Some(first) = range.first_games(board, spot.same.whole) {
            return Ok(first.has_any_of(lookup.others));
        }
        if let Some(position) = self.reader.popular(board, spot.same.whole)? {
            let mut first = FirstTwo::default();
            let mut ranks = position.runs.iter().flat_map(|run| run.ranks()).collect();
            self.reader.leave_out_stale(&mut ranks)?;
            ranks.into_iter().for_each(|rank| first.add(self.games.order_of(rank)));
            range.keep_first_games(board, spot.same.whole, first);
            return Ok(first.has_any_of(lookup.others));
        }
        Ok(!self.visitors(lookup, spot)?.is_empty())
    }

    /// The other games that reach a position, after a replay of those that may reach it.
    fn visitors(&mut self, lookup: &Lookup<'_>, spot: &Spot) -> Result<&[u32]> {
        for rank in self.reader.candidates(&[spot.keys])? {
            let is_other = lookup.others.has(self.games.order_of(rank));
            if !is_other || !self.replayed.insert(rank) {
                continue;
            }
            for ply in visited(&self.reader.moves(rank)?, &lookup.plies, lookup.least) {
                self.visits.entry(ply).or_default().push(rank);
            }
        }
        let visitors = lookup.plies.get(&spot.same).and_then(|ply| self.visits.get(ply));
        Ok(visitors.map_or(&[], Vec::as_slice))
    }
}

/// The positions of a compared game that another one reaches, each once, as plies of the former. A damaged game reaches
/// none.
fn visited(game: &StoredMoves, plies: &HashMap<SamePosition, usize, RandomState>, least: u32) -> Vec<usize> {
    let mut found = Vec::new();
    let replayed = follow(game, |position, _| {
        found.extend(plies.get(&SamePosition::scanned(position)));
        if position.board.occupied().count() < least as usize { Break(()) } else { Continue(()) }
    });
    if replayed.is_err() {
        return Vec::new();
    }
    found.sort_unstable();
    found.dedup();
    found
}
