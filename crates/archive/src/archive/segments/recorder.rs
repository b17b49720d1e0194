//! Records the games of a segment: those that are replayed for it, or decoded for another reason.

use std::io;

use super::{Recorded, RecordedRanges, Segments};
use crate::{
    archive::{Filter, Result, SectionReader, StoredRows},
    files::folder_of,
};
use plybook_chess::chess::{Move, Variant, VariantPosition};
use plybook_index::{
    position_index::{GameColumns, IndexedGame, SegmentBuilder},
    recording::{IndexParts, Places, Recording},
};
use plybook_record::{GameId, GameRange, StoredMoves, push_ids};

/// Records the games of a segment.
#[derive(Debug)]
pub(in crate::archive) struct GameRecorder {
    state: i64,
    /// The ids of the segment.
    pub segment: GameRange,
    pub builder: SegmentBuilder,
}

/// The trails of games whose positions have been taken in, and the ids of those that have positions; in the order of the
/// ids.
#[derive(Debug, Default)]
pub(in crate::archive) struct OrderedTrails {
    ids: Vec<GameRange>,
    pub trails: RecordedRanges,
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
#[derive(Debug)]
pub(in crate::archive) struct RecordedGames {
    recording: Recording,
    games: Vec<(GameId, Places)>,
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

impl Default for RecordedGames {
    fn default() -> RecordedGames {
        RecordedGames { recording: Recording::of(IndexParts::ALL), games: Vec::new() }
    }
}

impl RecordedGames {
    /// Records a game of a variant from its start; all moves must be legal.
    pub(in crate::archive) fn add(
        &mut self,
        id: GameId,
        variant: Variant,
        start: &VariantPosition,
        moves: &[Move],
    ) {
        self.games.push((id, self.recording.add(variant, || start.clone(), moves)));
    }

    /// Records a stored game, perhaps without its trail.
    pub(super) fn add_stored(&mut self, game: &StoredMoves, with_trail: bool) {
        let trails = self.recording.trails.take_if(|_| !with_trail);
        self.games.push((game.id, self.recording.add_stored(game)));
        self.recording.trails = self.recording.trails.take().or(trails);
    }

    /// The number of games.
    pub(super) fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Passes on their positions, with the columns of these games by ids in ascending order. The trails are left.
    ///
    /// # Errors
    /// The disk is full.
    pub(in crate::archive) fn move_positions_to(
        &mut self,
        builder: &SegmentBuilder,
        columns: &[(GameId, GameColumns)],
    ) -> io::Result<()> {
        let mut indexed = Vec::new();
        for (id, places) in &mut self.games {
            let facts = columns.binary_search_by_key(id, |(id, _)| *id).map(|place| columns[place].1);
            places.positions.take_if(|_| facts.is_err());
            if let (Some(positions), Ok(facts)) = (places.positions.clone(), facts) {
                indexed.push(IndexedGame { id: *id, facts, positions });
            }
        }
        builder.add(indexed, self.recording.positions.take().unwrap_or_default())
    }
}

impl GameRecorder {
    /// Everything that was recorded.
    pub(in crate::archive) fn finish(self, OrderedTrails { ids, trails }: OrderedTrails) -> RecordedSegment {
        let positions = Recorded { builder: self.builder, ids, rows: StoredRows::default() };
        RecordedSegment { positions: Some(positions), trails, state: self.state }
    }
}

impl OrderedTrails {
    /// Adds the next games.
    pub(in crate::archive) fn add(&mut self, recorded: RecordedGames) {
        for (id, Places { positions, trail }) in recorded.games {
            if let (Some(trails), Some(trail)) = (&recorded.recording.trails, trail) {
                self.trails.up_to(id).add_from(trails, trail);
            }
            if positions.is_some() {
                push_ids(&mut self.ids, id..=id);
            }
        }
    }
}
