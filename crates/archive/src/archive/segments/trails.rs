//! Building and reading the trails of games.

use std::ops::ControlFlow;

use super::{Segments, StoredSegment};
use crate::archive::{ArchiveError, ArchiveFile, Filter, in_batches_in_order};
use plybook_index::trail::{BuiltTrails, Part, RecordedTrails, TrailBuilder, TrailShape, Trails};
use plybook_record::{GameId, StoredMoves};

/// The trails of games with consecutive ids that were recorded while the games were stored, so that they need not be
/// replayed.
#[derive(Clone, Debug)]
pub struct RecordedRange {
    /// The first id.
    pub first: GameId,
    /// The last id.
    pub last: GameId,
    /// Their trails, in the order of the ids.
    pub trails: RecordedTrails,
}

impl Segments<'_> {
    /// Builds the trails of a range of ids, in blocks of about this size. Recorded ranges must be in ascending order.
    /// `watch` receives the number of games processed, and may stop the build; then the result is `None`.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn build_trails(
        self,
        (first, last): (GameId, GameId),
        recorded: &[RecordedRange],
        block_bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<BuiltTrails>, ArchiveError> {
        // One snapshot, and one lock instead of one per row.
        let snapshot =
            self.archive.db.is_autocommit().then(|| self.archive.db.unchecked_transaction()).transpose();
        let _snapshot = snapshot.map_err(|error| self.archive.db.error(error))?;
        let mut builder = TrailBuilder::new(first);
        let mut next = first;
        for range in recorded.iter().filter(|range| first <= range.first && range.last <= last) {
            if !self.replay_trails((next, range.first - 1), &mut builder, &mut watch)? {
                return Ok(None);
            }
            builder.push(range.first..=range.last, &range.trails);
            next = range.last + 1;
        }
        let is_whole = self.replay_trails((next, last), &mut builder, &mut watch)?;
        Ok(is_whole.then(|| builder.finish(last, block_bytes)))
    }

    /// Adds the trails of a range of ids. Returns false if it was stopped.
    fn replay_trails(
        self,
        (first, last): (GameId, GameId),
        builder: &mut TrailBuilder,
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<bool, ArchiveError> {
        if first > last {
            return Ok(watch(builder.games()).is_continue());
        }
        in_batches_in_order(
            self.archive.moves(&Filter { ids: Some(first..=last), ..Filter::default() }),
            |game: &StoredMoves| size_of::<StoredMoves>() + game.moves.len(),
            |games| {
                let mut trails = RecordedTrails::default();
                let ids = games.iter().map(|game| {
                    trails.add_stored(game);
                    game.id
                });
                (ids.collect::<Vec<_>>(), trails)
            },
            |(ids, trails)| {
                builder.push(ids, &trails);
                watch(builder.games())
            },
        )
    }

    /// The trails of a segment of this file.
    ///
    /// # Errors
    /// Errors of SQLite, or they are damaged.
    pub fn read_trails(self, segment: &StoredSegment<TrailShape>) -> Result<Trails, ArchiveError> {
        let blocks = ArchiveFile::Alone(self.archive).segment_blocks(segment);
        let part = |part: Part| blocks.whole_part(part.number());
        let parts = [part(Part::Materials)?, part(Part::Pawns)?, part(Part::Rows)?, part(Part::Facts)?];
        Trails::new(segment.first, segment.shape, parts).map_err(|_| self.damaged())
    }
}
