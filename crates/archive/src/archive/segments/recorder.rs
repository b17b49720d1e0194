//! Records games that are decoded for another reason, so that the segment that covers them is checked without replaying
//! them.

use std::{io, ops::Range};

use super::{Recorded, RecordedRanges, Segments};
use crate::{
    archive::{Filter, Result, SectionReader, StoredRows},
    files::folder_of,
};
use plybook_chess::chess::{Move, Variant, VariantPosition};
use plybook_index::{
    position_index::{GameColumns, IndexedGame, Played, RecordedPositions, SegmentBuilder},
    trail::RecordedTrails,
};
use plybook_record::{GameId, GameRange, push_ids};

/// Records the games of a segment.
#[derive(Debug)]
pub(in crate::archive) struct GameRecorder {
    state: i64,
    /// The ids of the segment.
    pub segment: GameRange,
    builder: SegmentBuilder,
}

/// The trails of games whose positions have been taken in, and the ids of those that have positions; in the order of the
/// ids.
#[derive(Debug, Default)]
pub(in crate::archive) struct OrderedTrails {
    ids: Vec<GameRange>,
    trails: RecordedRanges,
}

/// What was recorded of a segment, by default nothing.
#[derive(Debug, Default)]
pub(in crate::archive) struct RecordedSegment {
    pub positions: Option<Recorded>,
    pub trails: RecordedRanges,
    /// The [state](Archive::data_version) of the archive when its games were read.
    pub state: i64,
}

/// Games that one thread has recorded.
#[derive(Debug, Default)]
pub(in crate::archive) struct RecordedGames {
    positions: RecordedPositions,
    trails: RecordedTrails,
    games: Vec<RecordedGame>,
}

/// The places of a game in what was recorded.
#[derive(Debug)]
struct RecordedGame {
    id: GameId,
    /// `None` if it is not to be indexed.
    positions: Option<Range<usize>>,
    trail: Range<usize>,
}

impl Segments<'_> {
    /// Records the games of the largest segment of positions, if there is one: what is recorded of more than one would
    /// take too much memory.
    pub(in crate::archive) fn recorder(self) -> Option<GameRecorder> {
        let state = self.archive.data_version().ok()?;
        let segment = self.positions().ok()?.into_iter().max_by_key(|segment| segment.shape.games)?;
        let ids = usize::try_from(segment.last - segment.first).unwrap_or(usize::MAX).saturating_add(1);
        let folder = folder_of(self.archive.path());
        Some(GameRecorder {
            state,
            segment: (segment.first..=segment.last).into(),
            builder: SegmentBuilder::new(ids, folder),
        })
    }

    /// The columns of the games of a range, by ids in ascending order.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub(in crate::archive) fn columns_in(
        self,
        ids: GameRange,
        sections: &mut SectionReader,
    ) -> Result<Vec<(GameId, GameColumns)>> {
        let filter = Filter { ids: Some(ids.into()), ..Filter::default() };
        let columns = self.columns_of(&filter).map(|game| {
            let game = game?;
            Ok((game.id, self.facts_of(sections, game.facts, game.section)?))
        });
        columns.collect()
    }
}

impl RecordedGames {
    /// Records a game of a variant from its start; all moves must be legal.
    pub(in crate::archive) fn add(
        &mut self,
        id: GameId,
        variant: Variant,
        start: VariantPosition,
        moves: &[Move],
    ) {
        let positions = self.positions.add(variant, start.clone(), moves);
        let trail = self.trails.add(variant, start, moves);
        self.games.push(RecordedGame { id, positions, trail });
    }
}

impl GameRecorder {
    /// Takes in the positions of games that a thread has recorded, with the columns of these games. The trails are left.
    ///
    /// # Errors
    /// The disk is full.
    pub(in crate::archive) fn take_positions(
        &self,
        recorded: &mut RecordedGames,
        columns: &[(GameId, GameColumns)],
    ) -> io::Result<()> {
        let mut played = Vec::new();
        for game in &mut recorded.games {
            let facts = columns.binary_search_by_key(&game.id, |(id, _)| *id).map(|place| columns[place].1);
            game.positions = game.positions.take().filter(|_| facts.is_ok());
            if let (Some(positions), Ok(facts)) = (game.positions.clone(), facts) {
                played.push(IndexedGame { id: game.id, facts, played: Played::Recorded(positions) });
            }
        }
        self.builder.add_recorded(played, std::mem::take(&mut recorded.positions))
    }

    /// Everything that was recorded.
    pub(in crate::archive) fn finish(self, OrderedTrails { ids, trails }: OrderedTrails) -> RecordedSegment {
        let positions = Recorded { builder: self.builder, ids, rows: StoredRows::default() };
        RecordedSegment { positions: Some(positions), trails, state: self.state }
    }
}

impl OrderedTrails {
    /// Adds the next games.
    pub(in crate::archive) fn add(&mut self, recorded: RecordedGames) {
        for game in recorded.games {
            self.trails.up_to(game.id).add_from(&recorded.trails, game.trail);
            if game.positions.is_some() {
                push_ids(&mut self.ids, game.id..=game.id);
            }
        }
    }
}
