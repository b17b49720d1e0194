//! Building segments of trails, and reading those of other segments.

use std::{collections::HashMap, ops::ControlFlow};

use super::{
    BuiltSegment, Segments, StoredSegment,
    build::{are_within, gaps},
};
use crate::archive::{ArchiveFile, Filter, Result, StoredRows, error::stop_if, in_batches_in_order};
use plybook_index::{
    recording::{IndexParts, Recording},
    trail::{Part, RecordedTrails, TrailBuilder, TrailShape, Trails},
};
use plybook_record::{GameId, GameRange, StoredMoves};

/// The trails of games with consecutive ids that were recorded while the games were stored, so that they need not be
/// replayed.
#[derive(Clone, Debug)]
pub struct RecordedRange {
    /// Their ids.
    pub ids: GameRange,
    /// Their trails, in the order of the ids.
    pub trails: RecordedTrails,
}

/// All trails that were recorded.
#[derive(Clone, Debug, Default)]
pub struct RecordedRanges {
    /// The ranges, in ascending order.
    pub ranges: Vec<RecordedRange>,
    /// The rows of their games, from which they were recorded, and those of other games stored with them.
    pub rows: StoredRows,
}

impl RecordedRanges {
    /// Whether there are any, and all of them are in a range.
    pub fn is_within(&self, range: GameRange) -> bool {
        are_within(&self.ids(), range)
    }

    fn ids(&self) -> Vec<GameRange> {
        self.ranges.iter().map(|range| range.ids).collect()
    }

    /// The ids of a range without recorded trails, in ascending order.
    pub(super) fn missing_in(&self, games: GameRange) -> Vec<GameRange> {
        gaps(&self.ids(), games)
    }

    /// Adds the trails of other ids.
    pub fn join(&mut self, others: RecordedRanges) {
        self.ranges.extend(others.ranges);
        self.ranges.sort_unstable_by_key(|range| range.ids.start);
    }

    /// The trails after which that of the game with an id comes; ids must be in ascending order.
    pub fn up_to(&mut self, id: GameId) -> &mut RecordedTrails {
        if self.ranges.last().is_none_or(|range| range.ids.last + 1 != id) {
            self.ranges.push(RecordedRange { ids: (id..=id).into(), trails: RecordedTrails::default() });
        }
        let place = self.ranges.len() - 1;
        let range = &mut self.ranges[place];
        range.ids.last = id;
        &mut range.trails
    }
}

impl Segments<'_> {
    /// Builds the trails of a range of ids from one state of the archive, in blocks of about this size. Recorded trails in
    /// the range are not replayed. `watch` receives the number of games processed, and may stop the build.
    pub fn build_trails(
        self,
        ids: GameRange,
        recorded: &RecordedRanges,
        block_bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<BuiltSegment<TrailShape>> {
        // One snapshot, and one lock instead of one per row.
        let _snapshot = self.archive.snapshot()?;
        let mut builder = TrailBuilder::new(ids.start);
        let mut next = ids.start;
        let changed = self.changed(&recorded.rows)?;
        let recorded = if changed.is_some() { recorded.ranges.as_slice() } else { &[] };
        let changed = changed.unwrap_or_default();
        for RecordedRange { ids: GameRange { start, last }, trails } in recorded {
            // Never two of one game: the second one would become that of the next.
            if *start < next || *last > ids.last {
                continue;
            }
            self.replay_trails((next..=start - 1).into(), &mut builder, &mut watch)?;
            let own = changed.iter().filter(|id| (start..=last).contains(id));
            let others = self.trails_of(own.copied().collect())?;
            builder.push_but(*start..=*last, trails, &others);
            next = last + 1;
        }
        self.replay_trails((next..=ids.last).into(), &mut builder, &mut watch)?;
        Ok(builder.finish(ids.last, block_bytes))
    }

    /// The trails of some games, by replaying them.
    fn trails_of(self, ids: Vec<GameId>) -> Result<HashMap<GameId, RecordedTrails>> {
        let mut without = RecordedTrails::default();
        without.add_without();
        let mut found: HashMap<_, _> = ids.iter().map(|id| (*id, without.clone())).collect();
        if ids.is_empty() {
            return Ok(found);
        }
        for game in
            self.archive.moves(&Filter { among: Some(ids.into_iter().collect()), ..Filter::default() })
        {
            let game = game?;
            found.insert(game.id, replayed_trails(std::slice::from_ref(&game)));
        }
        Ok(found)
    }

    /// Adds the trails of a range of ids.
    fn replay_trails(
        self,
        ids: GameRange,
        builder: &mut TrailBuilder,
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<()> {
        if ids.is_empty() {
            return stop_if(watch(builder.games()));
        }
        in_batches_in_order(
            self.archive.moves(&Filter { ids: Some(ids.into()), ..Filter::default() }),
            StoredMoves::memory,
            |games| (games.iter().map(|game| game.id).collect::<Vec<_>>(), replayed_trails(&games)),
            |(ids, trails)| {
                builder.push(ids, &trails);
                stop_if(watch(builder.games()))
            },
        )
    }

    /// The trails of a range of ids that segments of this file have, without those of stale games.
    ///
    /// # Errors
    /// Errors of SQLite, or they are damaged.
    pub fn stored_trails(self, ids: GameRange) -> Result<RecordedRanges> {
        let mut recorded = RecordedRanges::default();
        let is_within =
            |segment: &&StoredSegment<_>| ids.contains(&segment.first) && ids.contains(&segment.last);
        for segment in self.of()?.iter().filter(is_within) {
            let (trails, stale) = (self.read_trails(segment)?, self.stale_games(segment)?);
            for row in (0..trails.rows()).filter_map(|number| trails.row(number)) {
                for game in row.games() {
                    let (id, trail) = game.map_err(|_| self.damaged())?;
                    if !stale.contains(id) {
                        recorded.up_to(id).add_read(trails.facts(id), trail);
                    }
                }
            }
        }
        Ok(recorded)
    }

    /// The trails of a segment of this file.
    ///
    /// # Errors
    /// Errors of SQLite, or they are damaged.
    pub fn read_trails(self, segment: &StoredSegment<TrailShape>) -> Result<Trails> {
        let blocks = ArchiveFile::Alone(self.archive).segment_blocks(segment);
        let part = |part: Part| blocks.whole_part(part.number());
        let parts = [part(Part::Materials)?, part(Part::Pawns)?, part(Part::Rows)?, part(Part::Facts)?];
        Trails::new(segment.first, segment.shape, parts).map_err(|_| self.damaged())
    }
}

/// The trails of some games, by replaying them.
fn replayed_trails(games: &[StoredMoves]) -> RecordedTrails {
    let mut recording = Recording::of(IndexParts::TRAILS);
    for game in games {
        recording.add_stored(game);
    }
    recording.trails.unwrap_or_default()
}
