//! Building a segment from the games that it covers: to be stored, or to be compared with one that is.

use std::ops::ControlFlow;

use super::indexed_games::IndexableGame;
use crate::{
    archive::{Archive, ArchiveError, SectionReader, in_batches},
    files::folder_of,
    position_index::{BuiltSegment, GameColumns, IndexedGame, SegmentBuilder},
    record::GameId,
};

impl Archive {
    /// The segment of the games with some ids, with rows of about so many bytes. `watch` is told the number of games gone
    /// through so far, and may break off; then there is none.
    ///
    /// # Errors
    /// SQLite's, or of the disk: what does not fit in memory goes to a file beside the archive.
    pub fn build_segment(
        &self,
        (first, last): (GameId, GameId),
        row_bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<BuiltSegment>, ArchiveError> {
        let of_disk = |error| ArchiveError::Io { path: self.path().to_owned(), error };
        let all = (last - first).unsigned_abs() + 1;
        let builder = SegmentBuilder::new(usize::try_from(all).unwrap_or(usize::MAX), folder_of(self.path()));
        // One state of the archive, and one lock on it rather than one a row.
        let snapshot = self.db.is_autocommit().then(|| self.db.unchecked_transaction()).transpose();
        let snapshot = snapshot.map_err(|error| self.error(error))?;
        let (mut failed, mut seen) = (None, 0);
        let mut sections = SectionReader::new(self);
        let games = self.indexable_games((first, last)).map(|game| indexed(&mut sections, game?, first));
        let is_whole = in_batches(
            games,
            |games| (games.len() as u64, builder.add(games)),
            |(games, added)| match added {
                Ok(()) => {
                    seen += games;
                    watch(seen)
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        drop(snapshot);
        if let Some(error) = failed {
            return Err(of_disk(error));
        }
        if !is_whole || watch(all).is_break() {
            return Ok(None);
        }
        let built = builder.finish(row_bytes).map_err(of_disk)?;
        Ok(Some(built).filter(|_| watch(all).is_continue()))
    }
}

/// A game with all that the index has of it, in a segment that begins with an id.
fn indexed(
    sections: &mut SectionReader<'_>,
    game: IndexableGame,
    first: GameId,
) -> Result<IndexedGame, ArchiveError> {
    let IndexableGame { moves, facts, section } = game;
    let common = sections.facts(section)?;
    let (speed, casual) = (common.speed as u32, common.is_casual.into());
    let place = u32::try_from(moves.id - first).unwrap_or(u32::MAX);
    Ok((place, moves, GameColumns { speed, casual, ..facts }))
}
