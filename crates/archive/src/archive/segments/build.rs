//! Building a segment from its games, to be stored or compared with the stored one.

use std::{io, ops::ControlFlow};

use super::{Segments, indexed_games::IndexableGame};
use crate::{
    archive::{ArchiveError, SectionReader, in_batches},
    files::folder_of,
};
use plybook_index::position_index::{BuiltSegment, GameColumns, IndexedGame, Played, SegmentBuilder};
use plybook_record::GameId;

/// Games that were recorded while they were stored, so that they need not be replayed.
#[derive(Debug)]
pub struct Recorded {
    /// What was recorded.
    pub builder: SegmentBuilder,
    /// Their ids, as ascending ranges.
    pub ids: Vec<(GameId, GameId)>,
}

impl Recorded {
    /// Whether all of them are in a range.
    pub fn is_within(&self, (first, last): (GameId, GameId)) -> bool {
        self.ids.first().is_some_and(|ids| ids.0 >= first) && self.ids.last().is_some_and(|ids| ids.1 <= last)
    }

    /// The ids of a range that were not recorded.
    fn others(ids: &[(GameId, GameId)], (first, last): (GameId, GameId)) -> Vec<(GameId, GameId)> {
        let begins = std::iter::once(first).chain(ids.iter().map(|ids| ids.1 + 1));
        let ends = ids.iter().map(|ids| ids.0 - 1).chain([last]);
        begins.zip(ends).filter(|(from, to)| from <= to).collect()
    }
}

impl<'a> Segments<'a> {
    /// Builds the segment of a range of ids, with rows of about this size. All recorded games must be
    /// [within](Recorded::is_within) the range. `watch` receives the number of games processed, and may stop the build;
    /// then the result is `None`.
    ///
    /// # Errors
    /// Errors of SQLite or the disk: data that does not fit in memory is written to a file next to the archive.
    pub fn build_positions(
        self,
        (first, last): (GameId, GameId),
        recorded: Option<Recorded>,
        row_bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<BuiltSegment>, ArchiveError> {
        let of_disk = |error| ArchiveError::Io { path: self.archive.path().to_owned(), error };
        let all = (last - first).unsigned_abs() + 1;
        let Recorded { builder, ids } = recorded.unwrap_or_else(|| {
            let games = usize::try_from(all).unwrap_or(usize::MAX);
            Recorded { builder: SegmentBuilder::new(games, folder_of(self.archive.path())), ids: Vec::new() }
        });
        let others = Recorded::others(&ids, (first, last));
        let replayed: u64 = others.iter().map(|(from, to)| (to - from).unsigned_abs() + 1).sum();
        let mut watch_all = |seen| watch(all - replayed + seen);
        if !self.replay_into(&builder, others, &mut watch_all, &of_disk)? || watch(all).is_break() {
            return Ok(None);
        }
        let built = builder.finish((first, last), row_bytes).map_err(of_disk)?;
        Ok(Some(built).filter(|_| watch(all).is_continue()))
    }

    /// Adds a range of games. Returns false if it was stopped.
    fn replay_into(
        self,
        builder: &SegmentBuilder,
        ids: Vec<(GameId, GameId)>,
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
        of_disk: &impl Fn(io::Error) -> ArchiveError,
    ) -> Result<bool, ArchiveError> {
        // One snapshot, and one lock instead of one per row.
        let snapshot =
            self.archive.db.is_autocommit().then(|| self.archive.db.unchecked_transaction()).transpose();
        let _snapshot = snapshot.map_err(|error| self.archive.db.error(error))?;
        let (mut failed, mut seen) = (None, 0);
        let mut sections = SectionReader::default();
        let games = ids.into_iter().flat_map(|ids| self.indexable_games(ids));
        let is_whole = in_batches(
            games.map(|game| self.indexed(&mut sections, game?)),
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
        failed.map_or(Ok(is_whole), |error| Err(of_disk(error)))
    }

    /// A game with everything the index stores about it.
    fn indexed(self, sections: &mut SectionReader, game: IndexableGame) -> Result<IndexedGame, ArchiveError> {
        let IndexableGame { moves, facts, section } = game;
        let facts = self.facts_of(sections, facts, section)?;
        Ok(IndexedGame { id: moves.id, facts, played: Played::Moves(moves) })
    }

    /// The columns of a game, completed by the properties of its section.
    pub fn facts_of(
        self,
        sections: &mut SectionReader,
        facts: GameColumns,
        section: i64,
    ) -> Result<GameColumns, ArchiveError> {
        let common = sections.facts(self.archive, section)?;
        Ok(GameColumns { speed: common.speed as u32, casual: common.is_casual.into(), ..facts })
    }
}
