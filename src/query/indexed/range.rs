//! A segment of the index, and the games it covers.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::confirm;
use crate::{
    archive::{Archive, ArchiveError, ArchiveFile, SegmentBlocks, StoredSegment},
    chess::Board,
    position_index::{Column, ColumnOf, PopularPosition, PositionKeys, Rows, Segment},
    query::novelty::FirstTwo,
    record::{GameFacts, GameId, StoredMoves, result_of},
};

/// Most popular positions that are remembered to be what their keys say.
const MOST_CONFIRMED: usize = 1 << 16;

/// A segment and what is known of it.
#[derive(Debug)]
pub(super) struct IndexedRange {
    pub stored: StoredSegment,
    pub segment: Segment,
    /// By whole key.
    confirmed: Mutex<HashMap<u64, Confirmed>>,
}

/// A popular position that a game has been replayed to.
#[derive(Debug)]
struct Confirmed {
    board: Board,
    /// How many games reach it.
    games: u32,
    /// The first of them, once that has been asked.
    first: Option<FirstTwo>,
}

/// A segment that is asked over a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub range: &'a IndexedRange,
    file: ArchiveFile<'a>,
    pub blocks: SegmentBlocks<'a>,
}

impl IndexedRange {
    pub(super) fn new(stored: StoredSegment) -> IndexedRange {
        let segment = Segment::new(stored.shape);
        IndexedRange { stored, segment, confirmed: Mutex::default() }
    }

    pub(super) fn asked<'a>(&'a self, archive: &'a Archive) -> Asked<'a> {
        self.asked_in(archive.segments().file_with(&self.stored))
    }

    /// The same in the file that has it.
    pub(super) fn asked_in<'a>(&'a self, file: ArchiveFile<'a>) -> Asked<'a> {
        Asked { range: self, file, blocks: file.segment_blocks(&self.stored) }
    }

    fn confirmed(&self) -> MutexGuard<'_, HashMap<u64, Confirmed>> {
        self.confirmed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of games of a position that has been confirmed.
    fn confirmed_count(&self, board: &Board, whole: u64) -> Option<u32> {
        self.confirmed()
            .get(&whole)
            .filter(|confirmed| confirmed.board == *board)
            .map(|confirmed| confirmed.games)
    }

    fn confirm(&self, board: &Board, whole: u64, games: u32) {
        let mut confirmed = self.confirmed();
        if confirmed.len() >= MOST_CONFIRMED {
            confirmed.clear();
        }
        confirmed.insert(whole, Confirmed { board: board.clone(), games, first: None });
    }

    /// The first games of a position that has been confirmed, if they are kept.
    pub(super) fn first_games(&self, board: &Board, whole: u64) -> Option<FirstTwo> {
        self.confirmed().get(&whole).filter(|confirmed| confirmed.board == *board)?.first
    }

    /// Keeps the first games of a position that has been confirmed.
    pub(super) fn keep_first_games(&self, board: &Board, whole: u64, first: FirstTwo) {
        if let Some(confirmed) =
            self.confirmed().get_mut(&whole).filter(|confirmed| confirmed.board == *board)
        {
            confirmed.first = Some(first);
        }
    }
}

impl Asked<'_> {
    /// The id of a game, by its rank.
    pub(super) fn id(&self, rank: u32) -> Result<GameId, ArchiveError> {
        Ok(self.range.stored.first + i64::from(self.order()?.get(rank)))
    }

    /// The moves of a game, by its rank.
    pub(super) fn moves(&self, rank: u32) -> Result<StoredMoves, ArchiveError> {
        let id = self.id(rank)?;
        // A game that the index has and the archive has not: one of them is damaged.
        self.file.moves_of(id)?.ok_or_else(|| self.blocks.damaged())
    }

    /// The ranks of the games that may reach one of some positions that are not popular.
    pub(super) fn candidates(&self, positions: &[PositionKeys]) -> Result<Vec<u32>, ArchiveError> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        self.range.segment.candidates(&self.blocks, positions)
    }

    /// The number of games of a position, if it is popular.
    pub(super) fn popular_count(&self, board: &Board, whole: u64) -> Result<Option<u32>, ArchiveError> {
        if let Some(games) = self.range.confirmed_count(board, whole) {
            return Ok(Some(games));
        }
        Ok(self.popular(board, whole)?.map(|position| position.games))
    }

    /// The games of a position, if it is popular: the first of them has been replayed.
    pub(super) fn popular(&self, board: &Board, whole: u64) -> Result<Option<PopularPosition>, ArchiveError> {
        let positions = self.range.segment.popular(&self.blocks, whole)?;
        let is_one = positions.len() == 1;
        for position in positions {
            // Of several it is not known which one it was.
            if is_one && self.range.confirmed_count(board, whole).is_some() {
                return Ok(Some(position));
            }
            let Some(run) = position.runs.first() else { continue };
            if confirm::stands_at(&self.moves(run.first)?, board, whole) {
                self.range.confirm(board, whole, position.games);
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// The columns that say what statistics ask of a game.
pub(super) struct Games<'a> {
    first: GameId,
    order: &'a Column,
    result: &'a Column,
    white_elo: &'a Column,
    black_elo: &'a Column,
    date: &'a Column,
}

impl<'a> Asked<'a> {
    /// The place in the segment of each game, by rank.
    pub(super) fn order(&self) -> Result<&'a Column, ArchiveError> {
        self.range.segment.order(&self.blocks)
    }

    /// A column of the segment.
    pub(super) fn column(&self, of: ColumnOf) -> Result<&'a Column, ArchiveError> {
        self.range.segment.column(&self.blocks, of)
    }

    /// What statistics ask of its games.
    pub(super) fn games(&self) -> Result<Games<'a>, ArchiveError> {
        Ok(Games {
            first: self.range.stored.first,
            order: self.order()?,
            result: self.column(ColumnOf::Result)?,
            white_elo: self.column(ColumnOf::WhiteElo)?,
            black_elo: self.column(ColumnOf::BlackElo)?,
            date: self.column(ColumnOf::Date)?,
        })
    }
}

impl Games<'_> {
    /// Of a game, by its rank.
    #[inline]
    pub(super) fn facts(&self, rank: u32) -> GameFacts {
        let known = |number: u32| Some(number).filter(|number| *number > 0);
        GameFacts {
            id: self.first + i64::from(self.order.get(rank)),
            result: result_of(self.result.get(rank).into()),
            white_elo: known(self.white_elo.get(rank)),
            black_elo: known(self.black_elo.get(rank)),
            date: self.date.get(rank),
        }
    }
}
