//! A segment of the index, and the games it covers.

use std::{
    collections::HashMap,
    ops::ControlFlow::{Break, Continue},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    archive::{Archive, ArchiveFile, GameSet, Result, SegmentBlocks, StoredSegment},
    chess::{Board, Date, whole_key},
    position_index::{
        Column, ColumnOf, GameColumns as Facts, Part, PopularPosition, PositionKeys, Rows, Segment,
    },
    query::{
        novelty::{FirstTwo, GameOrder},
        scan::follow,
    },
    record::{GameId, GameMetadata, StoredMoves},
};

/// The maximum number of popular positions that are cached as confirmed.
// Clearing the whole map when it is full is crude, but that hardly ever happens: 297,156 games have 35,872 popular
// positions.
const MOST_CONFIRMED: usize = 1 << 16;

/// A segment and its caches.
#[derive(Debug)]
pub(super) struct IndexedRange {
    pub stored: StoredSegment,
    pub segment: Segment,
    /// Its games that have changed since it was built.
    pub stale: GameSet,
    /// By full key.
    // Keys can collide, so one game of each popular position is replayed before its list is believed. That is about
    // half of the cost of such a query (10 to 15 of 25 microseconds), so it is done once per position.
    confirmed: Mutex<HashMap<u64, Confirmed>>,
}

/// A popular position that has been confirmed by replaying a game.
#[derive(Debug)]
struct Confirmed {
    board: Board,
    /// The number of games that reach it.
    games: u32,
    /// The first of them, once they have been looked up.
    first: Option<FirstTwo>,
}

/// A segment that is queried over a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentReader<'a> {
    pub range: &'a IndexedRange,
    file: ArchiveFile<'a>,
    pub blocks: SegmentBlocks<'a>,
}

impl IndexedRange {
    pub(super) fn new(stored: StoredSegment, stale: GameSet) -> IndexedRange {
        let segment = Segment::new(stored.shape);
        IndexedRange { stored, segment, stale, confirmed: Mutex::default() }
    }

    pub(super) fn reader<'a>(&'a self, archive: &'a Archive) -> SegmentReader<'a> {
        self.asked_in(archive.segments().file_with(&self.stored))
    }

    /// The same in the file that contains it.
    pub(super) fn asked_in<'a>(&'a self, file: ArchiveFile<'a>) -> SegmentReader<'a> {
        SegmentReader { range: self, file, blocks: file.segment_blocks(&self.stored) }
    }

    fn confirmed(&self) -> MutexGuard<'_, HashMap<u64, Confirmed>> {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of games of a confirmed position.
    fn confirmed_count(&self, board: &Board, whole: u64) -> Option<u32> {
        Some(self.confirmed().get(&whole).filter(|confirmed| confirmed.board == *board)?.games)
    }

    fn confirm(&self, board: &Board, whole: u64, games: u32) {
        let mut confirmed = self.confirmed();
        if confirmed.len() >= MOST_CONFIRMED {
            confirmed.clear();
        }
        confirmed.insert(whole, Confirmed { board: board.clone(), games, first: None });
    }

    /// The first games of a confirmed position, if they are cached.
    pub(super) fn first_games(&self, board: &Board, whole: u64) -> Option<FirstTwo> {
        self.confirmed().get(&whole).filter(|confirmed| confirmed.board == *board)?.first
    }

    /// Caches the first games of a confirmed position.
    pub(super) fn keep_first_games(&self, board: &Board, whole: u64, first: FirstTwo) {
        let mut confirmed = self.confirmed();
        let known = confirmed.get_mut(&whole).filter(|confirmed| confirmed.board == *board);
        known.into_iter().for_each(|confirmed| confirmed.first = Some(first));
    }
}

impl SegmentReader<'_> {
    /// The id of a game, by its sort position.
    pub(super) fn id(&self, rank: u32) -> Result<GameId> {
        Ok(self.range.stored.first + i64::from(self.number(Part::Order, rank)?))
    }

    /// The ids of some games, by their sort positions: reads little for few games.
    pub(super) fn ids(&self, ranks: &[u32]) -> Result<Vec<GameId>> {
        if self.range.segment.reads_whole(ranks.len() as u64) {
            let (first, order) = (self.range.stored.first, self.order()?);
            return Ok(ranks.iter().map(|rank| first + i64::from(order.get(*rank))).collect());
        }
        ranks.iter().map(|rank| self.id(*rank)).collect()
    }

    /// The moves of a game, by its sort position.
    pub(super) fn moves(&self, rank: u32) -> Result<StoredMoves> {
        let id = self.id(rank)?;
        // A game in the index but not in the archive: one of them is damaged.
        self.file.moves_of(id)?.ok_or_else(|| self.blocks.damaged())
    }

    /// The sort positions of the games that may reach one of some positions that are not popular.
    pub(super) fn candidates(&self, positions: &[PositionKeys]) -> Result<Vec<u32>> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let mut candidates = self.range.segment.candidates(&self.blocks, positions)?;
        self.leave_out_stale(&mut candidates)?;
        Ok(candidates)
    }

    /// Whether a game has changed since the segment was built, by its sort position.
    pub(super) fn is_stale(&self, rank: u32) -> Result<bool> {
        Ok(!self.range.stale.is_empty() && self.range.stale.contains(self.id(rank)?))
    }

    /// Leaves out the games that have changed since the segment was built.
    pub(super) fn leave_out_stale(&self, ranks: &mut Vec<u32>) -> Result<()> {
        if self.range.stale.is_empty() {
            return Ok(());
        }
        let (first, order) = (self.range.stored.first, self.order()?);
        ranks.retain(|rank| !self.range.stale.contains(first + i64::from(order.get(*rank))));
        Ok(())
    }

    /// The number of games of a position, if it is popular. The segment must have no stale games.
    pub(super) fn popular_count(&self, board: &Board, whole: u64) -> Result<Option<u32>> {
        if let Some(games) = self.range.confirmed_count(board, whole) {
            return Ok(Some(games));
        }
        Ok(self.popular(board, whole)?.map(|position| position.games))
    }

    /// The first game of a position that has not changed since the segment was built.
    fn first_fresh(&self, position: &PopularPosition) -> Result<Option<u32>> {
        for rank in position.runs.iter().flat_map(|run| run.ranks()) {
            if !self.is_stale(rank)? {
                return Ok(Some(rank));
            }
        }
        Ok(None)
    }

    /// The games of a position, if it is popular: the first of them has been replayed.
    pub(super) fn popular(&self, board: &Board, whole: u64) -> Result<Option<PopularPosition>> {
        let positions = self.range.segment.popular(&self.blocks, whole)?;
        // Two popular positions can share a key, by accident or in a forged archive. Then every list is confirmed each
        // time, since the cache does not say which of them it belongs to.
        let is_one = positions.len() == 1;
        for position in positions {
            // If there are several, it is unknown which one was confirmed.
            if is_one && self.range.confirmed_count(board, whole).is_some() {
                return Ok(Some(position));
            }
            let Some(first) = self.first_fresh(&position)? else { continue };
            // One game is enough: if the list belonged to another position with the same key, its first game would not
            // reach this one.
            if stands_at(&self.moves(first)?, board, whole) {
                self.range.confirm(board, whole, position.games);
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// Whether a chess game reaches a position with these pieces and this key. A game that is damaged before that does not.
fn stands_at(game: &StoredMoves, board: &Board, whole: u64) -> bool {
    let (men, mut found) = (board.occupied().count(), false);
    let _ = follow(game, |position, _| {
        found = position.board == board && whole_key(position.key, position.castling) == whole;
        if found || position.board.occupied().count() < men { Break(()) } else { Continue(()) }
    });
    found
}

/// The columns with the statistics of a game.
pub(super) struct GameColumns<'a> {
    first: GameId,
    order: &'a Column,
    result: &'a Column,
    white_elo: &'a Column,
    black_elo: &'a Column,
    date: &'a Column,
}

impl<'a> SegmentReader<'a> {
    /// The location of each game in the segment, by sort position.
    pub(super) fn order(&self) -> Result<&'a Column> {
        self.range.segment.order(&self.blocks)
    }

    /// A column of the segment.
    pub(super) fn column(&self, of: ColumnOf) -> Result<&'a Column> {
        self.range.segment.column(&self.blocks, of)
    }

    /// Reads the statistics of this many games: little for few.
    pub(super) fn facts_of(self, games: u64) -> Result<FactsReader<'a>> {
        let columns = self.range.segment.reads_whole(games).then(|| self.games()).transpose()?;
        Ok(FactsReader { segment: self, columns })
    }

    fn number(&self, part: Part, rank: u32) -> Result<u32> {
        self.range.segment.number(&self.blocks, part, rank)
    }

    /// The statistics of all its games.
    pub(super) fn games(&self) -> Result<GameColumns<'a>> {
        Ok(GameColumns {
            first: self.range.stored.first,
            order: self.order()?,
            result: self.column(ColumnOf::Result)?,
            white_elo: self.column(ColumnOf::WhiteElo)?,
            black_elo: self.column(ColumnOf::BlackElo)?,
            date: self.column(ColumnOf::Date)?,
        })
    }
}

/// Reads the statistics of games.
pub(super) struct FactsReader<'a> {
    segment: SegmentReader<'a>,
    /// `None` if numbers are read one by one.
    pub columns: Option<GameColumns<'a>>,
}

impl FactsReader<'_> {
    /// The statistics of a game, by its sort position.
    pub(super) fn get(&self, rank: u32) -> Result<GameMetadata> {
        match &self.columns {
            Some(columns) => Ok(columns.facts(rank)),
            None => self.segment.facts(rank),
        }
    }
}

impl SegmentReader<'_> {
    fn facts(&self, rank: u32) -> Result<GameMetadata> {
        let number = |of| self.number(Part::Column(of), rank);
        let facts = Facts {
            result: number(ColumnOf::Result)?,
            white_elo: number(ColumnOf::WhiteElo)?,
            black_elo: number(ColumnOf::BlackElo)?,
            date: number(ColumnOf::Date)?,
            ..Facts::default()
        };
        Ok(facts.metadata(self.id(rank)?))
    }
}

impl GameColumns<'_> {
    /// The statistics of a game, by its sort position.
    #[inline]
    pub(super) fn facts(&self, rank: u32) -> GameMetadata {
        let facts = Facts {
            result: self.result.get(rank),
            white_elo: self.white_elo.get(rank),
            black_elo: self.black_elo.get(rank),
            date: self.date.get(rank),
            ..Facts::default()
        };
        facts.metadata(self.id(rank))
    }

    /// The chronological place of a game: less to read than all of its [facts](Self::facts).
    #[inline]
    pub(super) fn order_of(&self, rank: u32) -> GameOrder {
        GameOrder::new(self.date(rank), self.id(rank))
    }

    #[inline]
    fn id(&self, rank: u32) -> GameId {
        self.first + i64::from(self.order.get(rank))
    }

    #[inline]
    fn date(&self, rank: u32) -> Date {
        Date::from_packed(self.date.get(rank)).unwrap_or_default()
    }
}
