//! Looks up the positions of a game in other games with the index: popular positions by their records, the others by
//! replaying each candidate game once for all positions of the game.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow::{Break, Continue},
};

use foldhash::fast::RandomState;

use super::{
    PositionIndex,
    range::{GameColumns, SegmentReader},
};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::{Board, Chess, Position, RunningKey, VariantPosition},
    query::novelty::{ComparedGame, EarlierGames, FirstTwo, GameOrder, Others, SamePosition},
    record::StoredMoves,
};

impl PositionIndex {
    /// Filters for the games that are not indexed.
    pub(in crate::query) fn chess_not_indexed(&self) -> Vec<Filter> {
        self.not_indexed(&Filter { chess: true, ..Filter::default() })
    }

    /// Starts to look up the positions of a game in the indexed games. Only games of standard chess and Chess960 are
    /// indexed.
    pub(in crate::query) fn walk<'a>(
        &'a self,
        archive: &'a Archive,
        game: &'a ComparedGame,
        others: Others,
    ) -> Result<Walk<'a>, ArchiveError> {
        let ranges = self.ranges.iter().filter(|_| game.is_chess());
        let of = |reader: SegmentReader<'a>| {
            let games = reader.games()?;
            Ok(Segment { reader, games, replayed: HashSet::default(), visits: HashMap::default() })
        };
        let segments = ranges.map(|range| of(range.reader(archive))).collect::<Result<_, ArchiveError>>()?;
        let least = game.spots.last().map_or(0, |spot| spot.same.occupied.count_ones());
        Ok(Walk { segments, game, plies: game.plies(), least, others })
    }
}

/// The positions of a game, and their lookups.
pub(in crate::query) struct Walk<'a> {
    segments: Vec<Segment<'a>>,
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
    pub(in crate::query) fn knows(&mut self, ply: usize, board: &Board) -> Result<bool, ArchiveError> {
        for segment in 0..self.segments.len() {
            if self.knows_in(segment, ply, board)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn knows_in(&mut self, segment: usize, ply: usize, board: &Board) -> Result<bool, ArchiveError> {
        let (Some(spot), Some(of)) = (self.game.spots.get(ply), self.segments.get(segment)) else {
            return Ok(false);
        };
        let range = of.reader.range;
        if let Some(first) = range.first_games(board, spot.same.whole) {
            return Ok(first.has_any_of(self.others));
        }
        if let Some(position) = of.reader.popular(board, spot.same.whole)? {
            let mut first = FirstTwo::default();
            let mut ranks = position.runs.iter().flat_map(|run| run.ranks()).collect();
            of.reader.leave_out_stale(&mut ranks)?;
            ranks.into_iter().for_each(|rank| first.add(GameOrder::of(&of.games.facts(rank))));
            range.keep_first_games(board, spot.same.whole, first);
            return Ok(first.has_any_of(self.others));
        }
        self.replay(segment, ply)?;
        Ok(self.visitors(segment, ply).is_some_and(|ranks| !ranks.is_empty()))
    }

    /// The other games that reach a position, among the replayed ones.
    fn visitors(&self, segment: usize, ply: usize) -> Option<&Vec<u32>> {
        let ply = self.plies.get(&self.game.spots.get(ply)?.same)?;
        self.segments.get(segment)?.visits.get(ply)
    }

    /// Replays the other games that may reach a position.
    fn replay(&mut self, segment: usize, ply: usize) -> Result<(), ArchiveError> {
        let (Some(spot), Some(of)) = (self.game.spots.get(ply), self.segments.get_mut(segment)) else {
            return Ok(());
        };
        for rank in of.reader.candidates(&[spot.keys])? {
            if !self.others.has(GameOrder::of(&of.games.facts(rank))) || !of.replayed.insert(rank) {
                continue;
            }
            for ply in visited(&of.reader.moves(rank)?, &self.plies, self.least) {
                of.visits.entry(ply).or_default().push(rank);
            }
        }
        Ok(())
    }

    /// Adds the other games that reach the position at a ply.
    pub(in crate::query) fn add_known(
        &mut self,
        ply: usize,
        board: &Board,
        known: &mut EarlierGames,
    ) -> Result<(), ArchiveError> {
        let Some(spot) = self.game.spots.get(ply) else { return Ok(()) };
        for segment in 0..self.segments.len() {
            let popular = match self.segments.get(segment) {
                Some(of) => of.reader.popular(board, spot.same.whole)?,
                None => None,
            };
            let mut ranks: Vec<u32> = match popular {
                Some(position) => position.runs.iter().flat_map(|run| run.ranks()).collect(),
                None => {
                    self.replay(segment, ply)?;
                    self.visitors(segment, ply).cloned().unwrap_or_default()
                }
            };
            let Some(of) = self.segments.get(segment) else { continue };
            of.reader.leave_out_stale(&mut ranks)?;
            let games = ranks.into_iter().map(|rank| of.games.facts(rank));
            games.filter(|game| self.others.has(GameOrder::of(game))).for_each(|game| known.add(&game));
        }
        Ok(())
    }
}

/// The positions of a compared game that another one reaches, each once, as plies of the former. A damaged game reaches
/// none.
fn visited(game: &StoredMoves, plies: &HashMap<SamePosition, usize, RandomState>, least: u32) -> Vec<usize> {
    let mut found = Vec::new();
    let Ok(VariantPosition::Chess(start)) = game.start() else { return found };
    let mut key = RunningKey::of(&start);
    let Ok(replay) = game.replay(start) else { return found };
    let replayed = replay.run(|position: &Chess, m| {
        if let Some(m) = m {
            key.advance(m, position);
        }
        found.extend(plies.get(&SamePosition::of(position, key)));
        if position.board().occupied().count() < least as usize { Break(()) } else { Continue(()) }
    });
    if replayed.is_err() {
        return Vec::new();
    }
    found.sort_unstable();
    found.dedup();
    found
}
