//! The trails of games: made, and read.

use std::ops::ControlFlow;

use super::StoredSegment;
use crate::{
    archive::{Archive, ArchiveError, Filter, in_batches_in_order},
    record::{GameId, StoredMoves},
    trail::{BuiltTrails, Part, TrailBuilder, TrailShape, TrailedGame, Trails},
};

impl Archive {
    /// The trails of the games with some ids, in blocks of about so many bytes. `watch` is told the number of games gone
    /// through so far, and may break off; then there are none.
    ///
    /// # Errors
    /// SQLite's.
    pub fn build_trails(
        &self,
        (first, last): (GameId, GameId),
        block_bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<BuiltTrails>, ArchiveError> {
        // One state of the archive, and one lock on it rather than one a row.
        let snapshot = self.db.is_autocommit().then(|| self.db.unchecked_transaction()).transpose();
        let _snapshot = snapshot.map_err(|error| self.error(error))?;
        let games = self.moves(&Filter { ids: Some(first..=last), ..Filter::default() });
        let mut builder = TrailBuilder::new(first);
        let is_whole = in_batches_in_order(
            games,
            |game: &StoredMoves| size_of::<StoredMoves>() + game.moves.len(),
            |games| games.iter().map(TrailedGame::of).collect::<Vec<_>>(),
            |games| {
                games.iter().for_each(|game| builder.push(game));
                watch(builder.games())
            },
        )?;
        Ok(is_whole.then(|| builder.finish(last, block_bytes)))
    }

    /// The trails of a segment.
    ///
    /// # Errors
    /// SQLite's, or they are damaged.
    pub fn trails(&self, segment: &StoredSegment<TrailShape>) -> Result<Trails, ArchiveError> {
        let blocks = self.segment_blocks(segment.id);
        let part = |part: Part| blocks.whole_part(part.number());
        let parts = [part(Part::Materials)?, part(Part::Pawns)?, part(Part::Rows)?, part(Part::Facts)?];
        Trails::new(segment.first, segment.shape, parts).map_err(|_| self.damaged_index())
    }
}
