//! Checks that the index of positions matches the games: every segment is rebuilt and compared.

use std::ops::ControlFlow;

use super::{SEGMENT_TABLES, Segments, StoredSegment, blocks::block_id, blocks::opened};
use crate::archive::{ArchiveError, changes::stale};
use plybook_index::{
    position_index::{self, BuiltSegment, ColumnOf, Part, SegmentShape},
    trail,
};
use plybook_record::GameId;

/// What is wrong with an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::archive) enum SegmentFlaw {
    #[error("its segments are inconsistent, or cover more games than the archive has")]
    Segments,
    #[error("{0} of its segments have a type that this version of plybook does not support")]
    Kind(i64),
    #[error("{0} of its rows belong to no segment")]
    Surplus(i64),
    #[error("its segment of games {first} to {last} does not match the games")]
    Shape { first: GameId, last: GameId },
    #[error("its segment of games {first} to {last} does not match the games in {rows} of its rows")]
    Rows { rows: u64, first: GameId, last: GameId },
}

impl Segments<'_> {
    /// Rebuilds every segment of the index of positions, and reports differences. `watch` receives the number of games
    /// processed.
    pub(in crate::archive) fn check_positions(
        self,
        flaw: &mut dyn FnMut(SegmentFlaw),
        watch: &mut dyn FnMut(u64),
    ) -> Result<(), ArchiveError> {
        self.stray_rows(flaw).map_err(|error| self.archive.db.error(error))?;
        let segments = match self.positions() {
            Err(ArchiveError::DamagedIndex(_)) => {
                flaw(SegmentFlaw::Segments);
                return Ok(());
            }
            segments => segments?,
        };
        for segment in segments {
            let games = (segment.first, segment.last);
            let row_bytes = segment.shape.row_bytes as usize;
            let built = self.as_seen(segment.id, games, || {
                self.build_positions(games, None, row_bytes, |games| {
                    watch((segment.first - 1).unsigned_abs() + games);
                    ControlFlow::Continue(())
                })
            })?;
            let Some(built) = built else { continue };
            self.compared(|| self.compare(&segment, &built), flaw)?;
        }
        Ok(())
    }

    /// Builds a segment from the rows that the stored one was built from.
    fn as_seen<T>(
        self,
        segment: i64,
        games: (GameId, GameId),
        build: impl FnOnce() -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let error = |error| self.archive.db.error(error);
        // A change between reading what is stale and building would look like damage.
        let _snapshot = self.archive.snapshot()?;
        if stale::games(&self.archive.db, segment).map_err(error)?.is_empty() {
            return build();
        }
        // A reader may not even write temporary tables.
        let is_reader = self.archive.db.pragma("query_only")?;
        self.archive.db.run("PRAGMA query_only = OFF")?;
        let hidden = stale::hide_by_seen(&self.archive.db, segment, games).map_err(error);
        let built = hidden.and_then(|()| build());
        stale::unhide(&self.archive.db).map_err(error)?;
        self.archive.db.run(&format!("PRAGMA query_only = {is_reader}"))?;
        built
    }

    /// The same for the trails.
    pub(in crate::archive) fn check_trails(
        self,
        flaw: &mut dyn FnMut(SegmentFlaw),
        watch: &mut dyn FnMut(u64),
    ) -> Result<(), ArchiveError> {
        let segments = match self.trails() {
            Err(ArchiveError::DamagedIndex(_)) => {
                flaw(SegmentFlaw::Segments);
                return Ok(());
            }
            segments => segments?,
        };
        for segment in segments {
            let StoredSegment { id, first, last, shape, .. } = segment;
            let built = self.as_seen(id, (first, last), || {
                self.build_trails((first, last), &[], shape.block_bytes as usize, |games| {
                    watch((first - 1).unsigned_abs() + games);
                    ControlFlow::Continue(())
                })
            })?;
            let Some(built) = built else { continue };
            let compare = || -> Result<Option<SegmentFlaw>, ArchiveError> {
                if !self.trails()?.contains(&segment) {
                    return Ok(None);
                }
                if built.shape != shape {
                    return Ok(Some(SegmentFlaw::Shape { first, last }));
                }
                let expected = built.blocks.iter();
                let expected =
                    expected.map(|(part, number, data)| (block_id(id, part.number(), *number), data));
                let rows =
                    self.other_rows(id, expected, |_| false).map_err(|error| self.archive.db.error(error))?;
                Ok((rows > 0).then_some(SegmentFlaw::Rows { rows, first, last }))
            };
            self.compared(compare, flaw)?;
        }
        Ok(())
    }

    /// Compares within one snapshot.
    fn compared(
        self,
        compare: impl FnOnce() -> Result<Option<SegmentFlaw>, ArchiveError>,
        flaw: &mut dyn FnMut(SegmentFlaw),
    ) -> Result<(), ArchiveError> {
        let snapshot = self.archive.snapshot()?;
        let found = compare();
        drop(snapshot);
        found?.into_iter().for_each(flaw);
        Ok(())
    }

    /// Rows that belong to no segment.
    fn stray_rows(self, flaw: &mut dyn FnMut(SegmentFlaw)) -> rusqlite::Result<()> {
        let count = |sql: &str| self.archive.db.query_row(sql, [], |row| row.get::<_, i64>(0));
        if self.count_tables()? < SEGMENT_TABLES {
            return Ok(());
        }
        let strange = count(&format!(
            "SELECT count(*) FROM segment WHERE kind NOT IN ({}, {})",
            position_index::KIND,
            trail::KIND
        ))?;
        let surplus =
            count("SELECT count(*) FROM segment_block WHERE id >> 32 NOT IN (SELECT id FROM segment)")?;
        (strange > 0).then(|| flaw(SegmentFlaw::Kind(strange)));
        (surplus > 0).then(|| flaw(SegmentFlaw::Surplus(surplus)));
        Ok(())
    }

    /// What is wrong with a segment, unless another program has replaced it in the meantime.
    fn compare(
        self,
        segment: &StoredSegment,
        built: &BuiltSegment,
    ) -> Result<Option<SegmentFlaw>, ArchiveError> {
        let &StoredSegment { first, last, shape, .. } = segment;
        if !self.positions()?.contains(segment) {
            return Ok(None);
        }
        if (SegmentShape { openings: shape.openings, ..built.shape }) != shape {
            return Ok(Some(SegmentFlaw::Shape { first, last }));
        }
        // The openings of an older table cannot be recomputed, and are not used either.
        let openings =
            [0, u32::MAX].map(|row| block_id(segment.id, Part::Column(ColumnOf::Opening).number(), row));
        let is_older =
            |id: i64| shape.openings != built.shape.openings && (openings[0]..=openings[1]).contains(&id);
        let expected = built.blocks.iter();
        let expected =
            expected.map(|(part, number, data)| (block_id(segment.id, part.number(), *number), data));
        let rows =
            self.other_rows(segment.id, expected, is_older).map_err(|error| self.archive.db.error(error))?;
        Ok((rows > 0).then_some(SegmentFlaw::Rows { rows, first, last }))
    }

    /// The number of wrong, missing and surplus rows of a segment, except for excluded ones.
    fn other_rows<'a>(
        self,
        segment: i64,
        expected: impl Iterator<Item = (i64, &'a Vec<u8>)>,
        is_left_out: impl Fn(i64) -> bool,
    ) -> rusqlite::Result<u64> {
        let sql = "SELECT id, data FROM segment_block WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 ORDER BY id";
        let mut statement = self.archive.db.prepare(sql)?;
        let mut rows = statement.query([segment])?;
        let mut expected = expected.filter(|(id, _)| !is_left_out(*id));
        let (mut next, mut wrong) = (expected.next(), 0);
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            if is_left_out(id) {
                continue;
            }
            while next.is_some_and(|(missing, _)| missing < id) {
                (next, wrong) = (expected.next(), wrong + 1);
            }
            match next {
                Some((same, data)) if same == id => {
                    wrong += u64::from(opened(id, row.get_ref(1)?) != Some(data.as_slice()));
                    next = expected.next();
                }
                _ => wrong += 1,
            }
        }
        Ok(wrong + u64::from(next.is_some()) + expected.count() as u64)
    }
}
