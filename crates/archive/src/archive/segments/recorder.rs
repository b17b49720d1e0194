//! Records games that are decoded for another reason, so that the segments that cover them are checked without replaying
//! them.

use std::{io, ops::Range};

use rayon::prelude::*;

use super::{Recorded, RecordedRanges, Segments};
use crate::{
    archive::{Archive, ArchiveError, Result, SectionReader, StoredRows},
    files::folder_of,
};
use plybook_chess::chess::{Move, Variant, VariantPosition};
use plybook_index::{
    position_index::{GameColumns, IndexedGame, MOST_GAMES, Played, RecordedPositions, SegmentBuilder},
    trail::RecordedTrails,
};
use plybook_record::{GameId, GameRange};

/// Records games, in the order of their ids.
#[derive(Debug)]
pub(in crate::archive) struct GameRecorder<'a> {
    archive: &'a Archive,
    sections: SectionReader,
    builder: SegmentBuilder,
    ids: Vec<GameRange>,
    trails: RecordedRanges,
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
    /// Records the games of an archive with an index, if one segment may cover all of them.
    pub(in crate::archive) fn recorder(self) -> Option<GameRecorder<'a>> {
        let last = self.archive.last_id().ok().filter(|last| (1..=i64::from(MOST_GAMES)).contains(last))?;
        self.positions().ok().filter(|segments| segments.len() == 1)?;
        let folder = folder_of(self.archive.path());
        Some(GameRecorder {
            archive: self.archive,
            sections: SectionReader::default(),
            builder: SegmentBuilder::new(usize::try_from(last).ok()?, folder),
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
                    self.recorded(game.id);
                }
            }
            indexed.push((played, positions));
        }
        let add = |(games, positions)| self.builder.add_recorded(games, positions);
        let added: io::Result<()> = indexed.into_par_iter().map(add).collect();
        added.map_err(|error| ArchiveError::Io { path: self.archive.path().to_owned(), error })
    }

    fn recorded(&mut self, id: GameId) {
        match self.ids.last_mut() {
            Some(ids) if ids.last + 1 == id => ids.last = id,
            _ => self.ids.push((id..=id).into()),
        }
    }

    /// The columns of the games of a range, by ids in ascending order.
    fn facts(&mut self, ids: GameRange) -> Result<Vec<(GameId, GameColumns)>> {
        let segments = self.archive.segments();
        let facts = segments.columns_of(ids).map(|game| {
            let game = game?;
            Ok((game.id, segments.facts_of(&mut self.sections, game.facts, game.section)?))
        });
        facts.collect()
    }

    /// Everything that was recorded.
    pub(in crate::archive) fn finish(self) -> (Recorded, RecordedRanges) {
        let recorded = Recorded { builder: self.builder, ids: self.ids, rows: StoredRows::default() };
        (recorded, self.trails)
    }
}
