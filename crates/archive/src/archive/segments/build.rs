//! Building segments of positions from their games, to be stored or compared with the stored ones.

use std::{io, iter, ops::ControlFlow};

use rusqlite::Row;

use super::{
    BuiltSegment, RecordedRanges, Segments,
    recorder::{OrderedTrails, RecordedGames},
};
use crate::{
    archive::{
        Archive, ArchiveError, Filter, Result, SectionReader, StoredRows,
        checksum::contain,
        error::stop_if,
        in_batches_in_order,
        read::{LAYOUT, MOVES, Selected, read_moves},
    },
    files::folder_of,
};
use plybook_index::position_index::{GameColumns, SegmentBuilder, SegmentShape};
use plybook_record::{GameId, GameRange, StoredMoves, push_ids};

/// Games that were recorded while they were stored, so that they need not be replayed.
#[derive(Debug)]
pub struct Recorded {
    /// What was recorded.
    pub builder: SegmentBuilder,
    /// Their ids, as ascending ranges.
    pub ids: Vec<GameRange>,
    /// Their rows, from which they were recorded, and those of other games stored with them.
    pub rows: StoredRows,
}

impl Recorded {
    /// Whether all of them are in a range.
    pub fn is_within(&self, range: GameRange) -> bool {
        are_within(&self.ids, range)
    }
}

/// Whether there are ascending ranges, and all are within another one.
pub(super) fn are_within(ids: &[GameRange], range: GameRange) -> bool {
    ids.first().is_some_and(|ids| ids.start >= range.start)
        && ids.last().is_some_and(|ids| ids.last <= range.last)
}

/// The ids of a range that ranges in it, in ascending order, do not cover.
pub fn gaps(covered: &[GameRange], range: GameRange) -> Vec<GameRange> {
    let begins = iter::once(range.start).chain(covered.iter().map(|ids| ids.last + 1));
    let ends = covered.iter().map(|ids| ids.start - 1).chain([range.last]);
    begins.zip(ends).map(|(start, last)| GameRange { start, last }).filter(|ids| !ids.is_empty()).collect()
}

/// Ranges without a common id, in ascending order, and with no range that follows another one immediately.
fn joined(mut ranges: Vec<GameRange>) -> Vec<GameRange> {
    ranges.sort_unstable_by_key(|ids| ids.start);
    let mut joined = Vec::new();
    ranges.into_iter().for_each(|ids| push_ids(&mut joined, ids));
    joined
}

/// A game of chess for an index.
#[derive(Clone, Debug)]
pub struct IndexableGame {
    /// Its moves.
    pub moves: StoredMoves,
    /// The columns from its own row; the others come from its section.
    pub facts: GameColumns,
    /// Its section.
    pub section: i64,
}

/// What a game's own row says for an index.
#[derive(Clone, Debug)]
pub struct IndexedRow {
    /// Its id.
    pub id: GameId,
    /// Its columns; the others come from its section.
    pub facts: GameColumns,
    /// Its section.
    pub section: i64,
}

/// The columns of [`read_row`], after the id and the result.
const COLUMNS: &str =
    "game.white_elo, game.black_elo, section.date, game.white, game.black, game.plies, game.section";

/// Reads the result in a column and [`COLUMNS`] after it.
fn read_row(row: &Row<'_>, result: usize) -> rusqlite::Result<IndexedRow> {
    let number = |column: usize| -> rusqlite::Result<u32> {
        let number = row.get::<_, Option<i64>>(result + column)?;
        Ok(number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0))
    };
    let facts = GameColumns {
        result: number(0)?,
        white_elo: number(1)?,
        black_elo: number(2)?,
        date: number(3)?,
        white: number(4)?,
        black: number(5)?,
        plies: number(6)?,
        ..GameColumns::default()
    };
    Ok(IndexedRow { id: row.get(0)?, facts, section: row.get(result + 7)? })
}

fn read_indexable(archive: &Archive, row: &Row<'_>) -> rusqlite::Result<Option<IndexableGame>> {
    let Some(moves) = read_moves(archive, row)? else { return Ok(None) };
    let IndexedRow { facts, section, .. } = read_row(row, 6)?;
    Ok(Some(IndexableGame { moves, facts, section }))
}

impl<'a> Segments<'a> {
    /// Builds the segment of a range of ids from one state of the archive. All recorded games must be
    /// [within](Recorded::is_within) the range; they are replayed like the others if one of them has changed since.
    /// `watch` receives the number of games processed, and may stop the build.
    ///
    /// # Errors
    /// Errors of SQLite or the disk: data that does not fit in memory is written to a file next to the archive.
    pub fn build_positions(
        self,
        range: GameRange,
        recorded: Option<Recorded>,
        bytes: usize,
        watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<BuiltSegment<SegmentShape>> {
        self.build_with_trails(range, recorded, None, bytes, watch)
    }

    /// The same, and completes trails by those of the games that are replayed.
    ///
    /// # Errors
    /// The same.
    pub fn build_with_trails(
        self,
        range: GameRange,
        recorded: Option<Recorded>,
        trails: Option<&mut RecordedRanges>,
        bytes: usize,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<BuiltSegment<SegmentShape>> {
        let _snapshot = self.archive.snapshot()?;
        let of_disk = |error| ArchiveError::Io { path: self.archive.path().to_owned(), error };
        let count = |ids: &GameRange| (ids.last - ids.start).unsigned_abs() + 1;
        let all = count(&range);
        let missing = trails.as_ref().map_or_else(Vec::new, |trails| trails.missing_in(range));
        let changed = match &recorded {
            Some(recorded) => self.changed(&recorded.rows)?,
            None => None,
        };
        let (builder, others) = match (recorded, changed) {
            (Some(Recorded { builder, ids, .. }), Some(mut changed)) => {
                changed.retain(|id| contain(&ids, *id));
                let changed_ranges = changed.iter().map(|id| GameRange::from(*id..=*id));
                let others = joined(gaps(&ids, range).into_iter().chain(changed_ranges).collect());
                (builder.without(&changed).map_err(of_disk)?, others)
            }
            _ => {
                let games = usize::try_from(all).unwrap_or(usize::MAX);
                (SegmentBuilder::new(games, folder_of(self.archive.path())), vec![range])
            }
        };
        let replayed: u64 = others.iter().map(count).sum();
        let mut watch_all = |seen| watch(all - replayed + seen);
        let recorded = self.replay_into(&builder, others, &missing, &mut watch_all, &of_disk)?;
        if let Some(trails) = trails {
            trails.join(recorded);
        }
        stop_if(watch(all))?;
        // It takes a while, and is not stopped after it: what has been built would be lost.
        builder.finish(range, bytes).map_err(of_disk)
    }

    /// Games that are not as they were stored when they were recorded; `None` if these are unknown.
    pub(super) fn changed(self, rows: &StoredRows) -> Result<Option<Vec<GameId>>> {
        rows.changed(&self.archive.db).map_err(|error| self.archive.db.error(error))
    }

    /// Adds the games of some ranges. Returns the trails of those that are among others.
    fn replay_into(
        self,
        builder: &SegmentBuilder,
        ids: Vec<GameRange>,
        with_trails: &[GameRange],
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
        of_disk: &impl Fn(io::Error) -> ArchiveError,
    ) -> Result<RecordedRanges> {
        let (mut seen, mut trails) = (0, OrderedTrails::default());
        let mut sections = SectionReader::default();
        let games = ids.into_iter().flat_map(|ids| self.indexable_games(ids)).map(|game| -> Result<_> {
            let IndexableGame { moves, facts, section } = game?;
            Ok((moves, self.facts_of(&mut sections, facts, section)?))
        });
        in_batches_in_order(
            games,
            |(moves, _)| moves.memory(),
            |games| {
                let mut recorded = RecordedGames::default();
                games.iter().for_each(|(moves, _)| {
                    recorded.add_stored(moves, contain(with_trails, moves.id));
                });
                let columns: Vec<_> = games.into_iter().map(|(moves, facts)| (moves.id, facts)).collect();
                let moved = recorded.move_positions_to(builder, &columns);
                (recorded, moved)
            },
            |(recorded, moved)| {
                moved.map_err(of_disk)?;
                seen += recorded.count();
                trails.add(recorded);
                stop_if(watch(seen))
            },
        )?;
        Ok(trails.trails)
    }

    /// The columns of a game, completed by the properties of its section.
    pub fn facts_of(
        self,
        sections: &mut SectionReader,
        facts: GameColumns,
        section: i64,
    ) -> Result<GameColumns> {
        let common = sections.facts(self.archive, section)?;
        Ok(GameColumns { speed: common.speed as u32, casual: common.is_casual.into(), ..facts })
    }

    /// The games of chess in a range of ids, for an index.
    pub fn indexable_games(self, ids: GameRange) -> impl Iterator<Item = Result<IndexableGame>> + use<'a> {
        let bytes = |game: &IndexableGame| size_of::<IndexableGame>() + game.moves.memory();
        let filter = Filter { ids: Some(ids.into()), ..Filter::default() };
        self.archive.pages(
            &filter,
            Selected { columns: &[MOVES, COLUMNS], tables: LAYOUT, read: read_indexable, bytes },
        )
    }

    /// The columns that the rows of the games that match a filter have, also of games of other rules; in a single file.
    pub fn columns_of(self, filter: &Filter) -> impl Iterator<Item = Result<IndexedRow>> + use<'a> {
        let columns = &["game.id, game.result", COLUMNS];
        let read = |_: &Archive, row: &Row<'_>| read_row(row, 1).map(Some);
        self.archive.pages(filter, Selected { columns, tables: "", read, bytes: |_| size_of::<IndexedRow>() })
    }
}
