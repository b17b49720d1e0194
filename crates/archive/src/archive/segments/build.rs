//! Building segments from their games, to be stored or compared with the stored ones; and reading trails.

use std::{collections::HashMap, io, iter, ops::ControlFlow};

use rusqlite::Row;

use super::{
    BuiltSegment, Segments, StoredSegment,
    recorder::{OrderedTrails, RecordedGames},
};
use crate::{
    archive::{
        Archive, ArchiveError, ArchiveFile, Filter, Result, SectionReader, StoredRows,
        checksum::contain,
        error::stop_if,
        in_batches_in_order,
        read::{LAYOUT, MOVES, Selected, read_moves},
    },
    files::folder_of,
};
use plybook_index::{
    position_index::{GameColumns, SegmentBuilder, SegmentShape},
    recording::{IndexParts, Recording},
    trail::{Part, RecordedTrails, TrailBuilder, TrailShape, Trails},
};
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
        self.ids.first().is_some_and(|ids| ids.start >= range.start)
            && self.ids.last().is_some_and(|ids| ids.last <= range.last)
    }
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

/// All trails that were recorded.
#[derive(Clone, Debug, Default)]
pub struct RecordedRanges {
    /// The ranges, in ascending order.
    pub ranges: Vec<RecordedRange>,
    /// The rows of their games, from which they were recorded, and those of other games stored with them.
    pub rows: StoredRows,
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

impl RecordedRanges {
    /// Whether there are any, and all of them are in a range.
    pub fn is_within(&self, range: GameRange) -> bool {
        self.ranges.first().is_some_and(|first| first.first >= range.start)
            && self.ranges.last().is_some_and(|last| last.last <= range.last)
    }

    /// The ids of a range without recorded trails, in ascending order.
    fn missing_in(&self, games: GameRange) -> Vec<GameRange> {
        let covered = self.ranges.iter().map(|range| (range.first..=range.last).into());
        gaps(&covered.collect::<Vec<_>>(), games)
    }

    /// Adds the trails of other ids.
    pub fn join(&mut self, others: RecordedRanges) {
        self.ranges.extend(others.ranges);
        self.ranges.sort_unstable_by_key(|range| range.first);
    }

    /// The trails after which that of the game with an id comes; ids must be in ascending order.
    pub fn up_to(&mut self, id: GameId) -> &mut RecordedTrails {
        if self.ranges.last().is_none_or(|range| range.last + 1 != id) {
            self.ranges.push(RecordedRange { first: id, last: id, trails: RecordedTrails::default() });
        }
        let place = self.ranges.len() - 1;
        let range = &mut self.ranges[place];
        range.last = id;
        &mut range.trails
    }
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
        let replayed = self.replay_into(&builder, others, &missing, &mut watch_all, &of_disk)?;
        if let Some(trails) = trails {
            trails.join(replayed);
        }
        stop_if(watch(all))?;
        // It takes a while, and is not stopped after it: what has been built would be lost.
        builder.finish(range, bytes).map_err(of_disk)
    }

    /// Games that are not as they were stored when they were recorded; `None` if these are unknown.
    fn changed(self, rows: &StoredRows) -> Result<Option<Vec<GameId>>> {
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
            |(moves, _)| bytes_of(moves),
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
        let bytes = |game: &IndexableGame| size_of::<IndexableGame>() + bytes_of(&game.moves);
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

    /// Builds the trails of a range of ids in the same way, in blocks of about this size. `watch` receives the number of games processed,
    /// and may stop the build.
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
        for range in recorded.iter().filter(|range| ids.start <= range.first && range.last <= ids.last) {
            // Never two of one game: the second one would become that of the next.
            if range.first < next {
                continue;
            }
            self.replay_trails((next..=range.first - 1).into(), &mut builder, &mut watch)?;
            let own = changed.iter().filter(|id| (range.first..=range.last).contains(*id));
            let trails = self.trails_of(own.copied().collect())?;
            builder.push_but(range.first..=range.last, &range.trails, &trails);
            next = range.last + 1;
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
            found.insert(game.id, recorded_trails(std::slice::from_ref(&game)));
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
            bytes_of,
            |games| (games.iter().map(|game| game.id).collect::<Vec<_>>(), recorded_trails(&games)),
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
    pub fn recorded_trails(self, ids: GameRange) -> Result<RecordedRanges> {
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

fn bytes_of(game: &StoredMoves) -> usize {
    size_of::<StoredMoves>() + game.moves.len()
}

/// The trails of some games, by replaying them.
fn recorded_trails(games: &[StoredMoves]) -> RecordedTrails {
    let mut recording = Recording::of(IndexParts::TRAILS);
    for game in games {
        recording.add_stored(game);
    }
    recording.trails.unwrap_or_default()
}
