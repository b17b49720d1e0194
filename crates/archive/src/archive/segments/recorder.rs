//! Records games that are decoded for another reason, so that the segment that covers them is checked without replaying
//! them.

use std::{io, ops::Range};

use rayon::prelude::*;

use super::{Recorded, RecordedRanges, Segments};
use crate::{
    archive::{Archive, ArchiveError, Filter, Result, SectionReader, StoredRows},
    files::folder_of,
};
use plybook_chess::chess::{Move, Variant, VariantPosition};
use plybook_index::{
    position_index::{GameColumns, IndexedGame, Played, RecordedPositions, SegmentBuilder},
    trail::RecordedTrails,
};
use plybook_record::{GameId, GameRange, push_ids};

/// Records the games of a segment, in the order of their ids.
#[derive(Debug)]
pub(in crate::archive) struct GameRecorder<'a> {
    archive: &'a Archive,
    state: i64,
    /// The ids of the segment.
    pub segment: GameRange,
    sections: SectionReader,
    builder: SegmentBuilder,
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

impl<'a> Segments<'a> {
    /// Records the games of the largest segment of positions, if there is one: what is recorded of more than one would
    /// take too much memory.
    pub(in crate::archive) fn recorder(self) -> Option<GameRecorder<'a>> {
        let state = self.archive.data_version().ok()?;
        let segment = self.positions().ok()?.into_iter().max_by_key(|segment| segment.shape.games)?;
        let ids = usize::try_from(segment.last - segment.first).unwrap_or(usize::MAX).saturating_add(1);
        let folder = folder_of(self.archive.path());
        Some(GameRecorder {
            archive: self.archive,
            state,
            segment: (segment.first..=segment.last).into(),
            sections: SectionReader::default(),
            builder: SegmentBuilder::new(ids, folder),
            ids: Vec::new(),
            trails: RecordedRanges::default(),
        })
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

impl GameRecorder<'_> {
    /// Adds the next games.
    ///
    /// # Errors
    /// Errors of SQLite, or the disk is full.
    pub(in crate::archive) fn add(&mut self, recorded: Vec<RecordedGames>) -> Result<()> {
        let all = || recorded.iter().flat_map(|part| &part.games);
        let (Some(first), Some(last)) = (all().next(), all().last()) else { return Ok(()) };
        let facts = self.facts(GameRange { start: first.id, last: last.id })?;
        let mut indexed = Vec::new();
        for RecordedGames { positions, trails, games } in recorded {
            let mut played = Vec::new();
            for game in games {
                self.trails.up_to(game.id).add_from(&trails, game.trail);
                let facts = facts.binary_search_by_key(&game.id, |(id, _)| *id).map(|place| facts[place].1);
                if let (Some(positions), Ok(facts)) = (game.positions, facts) {
                    played.push(IndexedGame { id: game.id, facts, played: Played::Recorded(positions) });
                    push_ids(&mut self.ids, game.id..=game.id);
                }
            }
            indexed.push((played, positions));
        }
        let add = |(games, positions)| self.builder.add_recorded(games, positions);
        let added: io::Result<()> = indexed.into_par_iter().map(add).collect();
        added.map_err(|error| ArchiveError::Io { path: self.archive.path().to_owned(), error })
    }

    /// The columns of the games of a range, by ids in ascending order.
    fn facts(&mut self, ids: GameRange) -> Result<Vec<(GameId, GameColumns)>> {
        let segments = self.archive.segments();
        let filter = Filter { ids: Some(ids.into()), ..Filter::default() };
        let facts = segments.columns_of(&filter).map(|game| {
            let game = game?;
            Ok((game.id, segments.facts_of(&mut self.sections, game.facts, game.section)?))
        });
        facts.collect()
    }

    /// Everything that was recorded.
    pub(in crate::archive) fn finish(self) -> RecordedSegment {
        let positions = Recorded { builder: self.builder, ids: self.ids, rows: StoredRows::default() };
        RecordedSegment { positions: Some(positions), trails: self.trails, state: self.state }
    }
}
