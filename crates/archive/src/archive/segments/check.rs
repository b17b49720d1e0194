//! Checks that the index of positions matches the games: every segment is rebuilt and compared.

use std::{collections::BTreeSet, ops::ControlFlow};

use super::{
    RecordedRanges, RecordedSegment, SEGMENT_TABLES, Segments, StoredSegment, blocks::block_id,
    blocks::opened,
};
use crate::archive::{ArchiveError, Result, changes::stale};
use plybook_index::{
    Block, BuiltSegment, LAST_FORMER_KIND, Shape,
    position_index::{self, ColumnOf, Part, SegmentShape},
    trail::{self, TrailShape},
};
use plybook_record::GameRange;

/// A segment that was built again, and the part that cannot be compared with the stored one.
type Rebuilt<S> = (BuiltSegment<S>, Option<u8>);

/// Receives each flaw of an index, with the number of its segment if it concerns only one.
type Flaw<'a> = dyn FnMut(Option<i64>, String) + 'a;

/// What is wrong with an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexFlaws {
    /// The numbers of the segments that do not match the games.
    pub segments: BTreeSet<i64>,
    /// Whether it must be rebuilt from scratch: its segments are inconsistent, or rows belong to none.
    pub is_inconsistent: bool,
}

impl Segments<'_> {
    /// Compares the index of positions and the trails with the games. `watch` receives the number of games processed,
    /// first for one and then for the other.
    pub fn flaws(self, watch: &mut dyn FnMut(u64)) -> Result<IndexFlaws> {
        let mut flaws = IndexFlaws::default();
        let mut flaw = |segment: Option<i64>, _| match segment {
            Some(segment) => drop(flaws.segments.insert(segment)),
            None => flaws.is_inconsistent = true,
        };
        let mut nothing = RecordedSegment::default();
        self.check_positions(&mut nothing, &mut flaw, watch)?;
        self.check_trails(&nothing, &mut flaw, watch)?;
        Ok(flaws)
    }

    /// Rebuilds every segment of the index of positions, and reports differences. `watch` receives the number of games
    /// processed. Recorded games are not replayed.
    pub(in crate::archive) fn check_positions(
        self,
        recorded: &mut RecordedSegment,
        flaw: &mut Flaw<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<()> {
        self.stray_rows(flaw).map_err(|error| self.archive.db.error(error))?;
        self.check(flaw, |stored: &StoredSegment, games, is_present| {
            let is_usable = is_present && self.has_state(recorded.state)?;
            let recorded = recorded.positions.take_if(|recorded| is_usable && recorded.is_within(games));
            let bytes = stored.shape.row_bytes as usize;
            let watch = watcher(games, watch);
            let mut built = self.build_positions(games, recorded, bytes, watch)?;
            // The openings of an older table cannot be recomputed, and are not used either.
            let openings = stored.shape.openings;
            let is_older = openings != built.shape.openings;
            built.shape = SegmentShape { openings, ..built.shape };
            Ok((built, is_older.then(|| Part::Column(ColumnOf::Opening).number())))
        })
    }

    /// The same for the trails.
    pub(in crate::archive) fn check_trails(
        self,
        recorded: &RecordedSegment,
        flaw: &mut Flaw<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let nothing = RecordedRanges::default();
        self.check(flaw, |stored: &StoredSegment<TrailShape>, games, is_present| {
            let is_usable = is_present && self.has_state(recorded.state)?;
            let recorded = if is_usable { &recorded.trails } else { &nothing };
            let block_bytes = stored.shape.block_bytes as usize;
            Ok((self.build_trails(games, recorded, block_bytes, watcher(games, watch))?, None))
        })
    }

    /// Whether the archive is in the [state](Archive::data_version) of another time. A change that makes no game stale may
    /// also be one that was undone.
    fn has_state(self, state: i64) -> Result<bool> {
        Ok(self.archive.data_version()? == state)
    }

    fn check<S: Shape>(
        self,
        flaw: &mut Flaw<'_>,
        mut build: impl FnMut(&StoredSegment<S>, GameRange, bool) -> Result<Rebuilt<S>>,
    ) -> Result<()> {
        let segments = match self.of::<S>() {
            Err(ArchiveError::DamagedIndex(_)) => {
                let what = "its segments are inconsistent, or cover more games than the archive has";
                flaw(None, what.to_owned());
                return Ok(());
            }
            segments => segments?,
        };
        for segment in segments {
            let games = (segment.first..=segment.last).into();
            let (built, left_out) =
                self.as_seen(segment.id, games, |is_present| build(&segment, games, is_present))?;
            let _snapshot = self.archive.snapshot()?;
            // Another program may have replaced it in the meantime.
            if !self.of::<S>()?.contains(&segment) {
                continue;
            }
            let what = format!(
                "its segment of games {} to {} does not match the games",
                segment.first, segment.last
            );
            if built.shape != segment.shape {
                flaw(Some(segment.id), what);
                continue;
            }
            let rows = self.archive.db.attempt(|_| self.other_rows(segment.id, &built.blocks, left_out))?;
            if rows > 0 {
                flaw(Some(segment.id), format!("{what} in {rows} of its rows"));
            }
        }
        Ok(())
    }

    /// Builds a segment from the rows that the stored one was built from; `build` receives whether these are the present
    /// ones.
    fn as_seen<T>(self, segment: i64, games: GameRange, build: impl FnOnce(bool) -> Result<T>) -> Result<T> {
        let error = |error| self.archive.db.error(error);
        // A change between reading what is stale and building would look like damage.
        let _snapshot = self.archive.snapshot()?;
        if stale::games(&self.archive.db, segment).map_err(error)?.is_empty() {
            return build(true);
        }
        // A reader may not even write temporary tables.
        let is_reader = self.archive.db.pragma("query_only")?;
        self.archive.db.run("PRAGMA query_only = OFF")?;
        let hidden = stale::hide_by_seen(&self.archive.db, segment, games).map_err(error);
        let built = hidden.and_then(|()| build(false));
        stale::unhide(&self.archive.db).map_err(error)?;
        self.archive.db.run(&format!("PRAGMA query_only = {is_reader}"))?;
        built
    }

    /// Rows that belong to no segment.
    fn stray_rows(self, flaw: &mut Flaw<'_>) -> rusqlite::Result<()> {
        let count = |sql: &str| self.archive.db.query_row(sql, [], |row| row.get::<_, i64>(0));
        if self.count_tables()? < SEGMENT_TABLES {
            return Ok(());
        }
        let kinds = [position_index::KIND, trail::KIND].map(|kind| kind.to_string()).join(", ");
        let strange = count(&format!(
            "SELECT count(*) FROM segment WHERE kind > {LAST_FORMER_KIND} AND kind NOT IN ({kinds})"
        ))?;
        if strange > 0 {
            let what = "of its segments have a type that this version of plybook does not support";
            flaw(None, format!("{strange} {what}"));
        }
        let surplus =
            count("SELECT count(*) FROM segment_block WHERE id >> 32 NOT IN (SELECT id FROM segment)")?;
        if surplus > 0 {
            flaw(None, format!("{surplus} of its rows belong to no segment"));
        }
        Ok(())
    }

    /// The number of wrong, missing and surplus rows of a segment, except for those of a part that is left out.
    fn other_rows(self, segment: i64, built: &[Block], left_out: Option<u8>) -> rusqlite::Result<u64> {
        let sql = "SELECT id, data FROM segment_block WHERE id BETWEEN ?1 << 32 AND ((?1 + 1) << 32) - 1 ORDER BY id";
        let mut statement = self.archive.db.prepare(sql)?;
        let mut rows = statement.query([segment])?;
        let is_left_out = |part: u8| left_out == Some(part);
        let expected = built.iter().filter(|(part, ..)| !is_left_out(*part));
        let mut expected = expected.map(|(part, number, data)| (block_id(segment, *part, *number), data));
        let (mut next, mut wrong) = (expected.next(), 0);
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            if is_left_out((id >> 24) as u8) {
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

/// Passes on the number of games processed, including those before a segment, and never stops.
fn watcher(games: GameRange, watch: &mut dyn FnMut(u64)) -> impl FnMut(u64) -> ControlFlow<()> {
    move |processed| {
        watch((games.start - 1).unsigned_abs() + processed);
        ControlFlow::Continue(())
    }
}
