//! Builds the index of positions, and the trails, one segment at a time.

mod plans;

use std::{ops::ControlFlow, time::Instant};

use self::plans::{Plan, Plans};
use crate::{
    archive::{
        Archive, ArchiveError, BuiltSegment, IndexFlaws, Recorded, RecordedRanges, Result, Shape,
        StoredSegment,
    },
    position_index::{MOST_GAMES, SegmentShape},
    recording::IndexParts,
    trail::TrailShape,
};

/// What was built of a part of the index.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct IndexReport {
    /// Games in the segments that were built.
    pub games: u64,
    /// Segments that were built.
    pub built: u64,
    /// Segments of the part.
    pub segments: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Whether it was cancelled: segments built before that are kept.
    pub stopped: bool,
}

/// What was built; `None` of a part that was not to be built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexReports {
    /// Of the positions.
    pub positions: Option<IndexReport>,
    /// Of the trails.
    pub trails: Option<IndexReport>,
}

impl IndexReports {
    /// Whether it was cancelled.
    pub fn stopped(&self) -> bool {
        self.all().any(|report| report.stopped)
    }

    fn all(&self) -> impl Iterator<Item = &IndexReport> {
        [&self.positions, &self.trails].into_iter().flatten()
    }
}

/// What was recorded of games while they were stored, so that they need not be replayed.
#[derive(Debug, Default)]
pub struct RecordedParts {
    /// Their positions, if one segment can hold them.
    pub positions: Option<Recorded>,
    /// Their trails.
    pub trails: RecordedRanges,
}

/// Indexes the games that are not indexed yet, in segments of limited size. Each segment is durable on its own: after a
/// cancellation, the next call starts with the segment that was not finished. `watch` receives the number of games of a
/// segment processed so far and its total, and may cancel.
///
/// # Errors
/// An SQLite error, or a disk error: data that does not fit in memory goes to a file next to the archive.
pub fn build_index(
    archive: &Archive,
    parts: IndexParts,
    recorded: RecordedParts,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReports> {
    Building::begin(archive, Some(MOST_GAMES), watch)?.build(parts, recorded)
}

/// Rebuilds the segments of which many games have changed. Returns whether it was completed.
pub fn renew_index(archive: &Archive, watch: impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<bool> {
    let renewed = Building::begin(archive, None, watch)?.build(IndexParts::ALL, RecordedParts::default())?;
    if renewed.all().any(|report| report.built > 0) {
        archive.end_log()?;
    }
    Ok(!renewed.stopped())
}

/// Compares both indexes with the games, and rebuilds the segments that differ from them. If that is not possible, both
/// are dropped, to be built again. Returns the number of segments that were rebuilt or dropped. `watch` receives the
/// number of games compared, or processed of a segment, and their total.
pub fn repair_index(archive: &Archive, mut watch: impl FnMut(u64, u64)) -> Result<u64> {
    let (segments, all) = (archive.segments(), archive.last_id()?.unsigned_abs());
    let state = segments.present_state()?;
    let flaws = state.segments().flaws(&mut |games| watch(games, all))?;
    drop(state);
    if flaws.is_inconsistent {
        let count = segments.positions().map_or(1, |segments| segments.len().max(1) as u64);
        return segments.drop_index(None).map(|_| count);
    }
    let watch = |games, all| {
        watch(games, all);
        ControlFlow::Continue(())
    };
    let mut building = Building::begin(archive, None, watch)?;
    for plan in wrong(archive, &flaws)? {
        building.build_positions(&segments.present_state()?, plan, None, None)?;
    }
    for plan in wrong(archive, &flaws)? {
        building.build_trails(&segments.present_state()?, plan, &RecordedRanges::default())?;
    }
    Ok(building.positions.report.built + building.trails.report.built)
}

/// The segments with flaws, to be rebuilt.
fn wrong<S: Shape>(archive: &Archive, flaws: &IndexFlaws) -> Result<Vec<Plan<S>>> {
    let is_wrong = |segment: &StoredSegment<S>| flaws.segments.contains(&segment.id);
    Ok(archive.segments().of()?.into_iter().filter(is_wrong).map(Plan::again).collect())
}

/// Builds segments as planned, each from a state of the archive. Those that another program has built in the meantime
/// are left as they are.
struct Building<'a, W> {
    archive: &'a Archive,
    /// The target size of a block.
    bytes: usize,
    positions: Part<'a, SegmentShape>,
    trails: Part<'a, TrailShape>,
    watch: W,
}

/// A part of the index that is being built.
struct Part<'a, S> {
    plans: Plans<'a, S>,
    report: IndexReport,
}

impl<'a, W: FnMut(u64, u64) -> ControlFlow<()>> Building<'a, W> {
    /// Begins. `most_games` are those of a segment; without it, the index is not extended.
    fn begin(archive: &'a Archive, most_games: Option<u32>, watch: W) -> Result<Building<'a, W>> {
        let bytes = archive.segments().block_bytes()?;
        let (positions, trails) = (Part::begin(archive, most_games)?, Part::begin(archive, most_games)?);
        Ok(Building { archive, bytes, positions, trails, watch })
    }

    /// Builds all segments that are due. The trails of games that have not changed are kept.
    fn build(mut self, parts: IndexParts, recorded: RecordedParts) -> Result<IndexReports> {
        let RecordedParts { positions: mut recorded, trails: mut recorded_trails } = recorded;
        while parts.positions
            && !self.is_stopped()
            && let Some(plan) = self.positions.plans.next().transpose()?
        {
            let state = self.archive.segments().present_state()?;
            let recorded = recorded.take_if(|recorded| recorded.is_within(plan.games()));
            let plan_of_trails = match parts.trails {
                true => self.trails.plans.next_within(plan.games())?,
                false => None,
            };
            let Some(plan_of_trails) = plan_of_trails else {
                self.build_positions(&state, plan, recorded, None)?;
                continue;
            };
            let mut trails = known_trails(&state, &plan_of_trails, &mut recorded_trails);
            self.build_positions(&state, plan, recorded, Some(&mut trails))?;
            if !self.is_stopped() {
                self.build_trails(&state, plan_of_trails, &trails)?;
            }
        }
        while parts.trails
            && !self.is_stopped()
            && let Some(plan) = self.trails.plans.next().transpose()?
        {
            let state = self.archive.segments().present_state()?;
            let trails = known_trails(&state, &plan, &mut recorded_trails);
            self.build_trails(&state, plan, &trails)?;
        }
        Ok(IndexReports {
            positions: parts.positions.then(|| self.positions.end()).transpose()?,
            trails: parts.trails.then(|| self.trails.end()).transpose()?,
        })
    }

    fn is_stopped(&self) -> bool {
        self.positions.report.stopped || self.trails.report.stopped
    }

    /// Builds a segment of positions from a state of the archive. Recorded games are not replayed; trails of games that
    /// are replayed complete those that are known.
    fn build_positions(
        &mut self,
        state: &Archive,
        plan: Plan<SegmentShape>,
        recorded: Option<Recorded>,
        trails: Option<&mut RecordedRanges>,
    ) -> Result<()> {
        let begin = Instant::now();
        let watch = |seen| (self.watch)(seen, plan.count());
        let built = state.segments().build_with_trails(plan.games(), recorded, trails, self.bytes, watch);
        self.positions.store(self.archive, plan, built, state)?;
        self.positions.report.seconds += begin.elapsed().as_secs_f64();
        Ok(())
    }

    /// Builds a segment of trails from a state of the archive, without replaying games whose trails are known.
    fn build_trails(
        &mut self,
        state: &Archive,
        plan: Plan<TrailShape>,
        known: &RecordedRanges,
    ) -> Result<()> {
        let begin = Instant::now();
        let watch = |seen| (self.watch)(seen, plan.count());
        let built = state.segments().build_trails(plan.games(), known, self.bytes, watch);
        self.trails.store(self.archive, plan, built, state)?;
        self.trails.report.seconds += begin.elapsed().as_secs_f64();
        Ok(())
    }
}

/// The trails of a segment that need not be read from games: those that were recorded, and those of the segments that it
/// replaces.
fn known_trails(state: &Archive, plan: &Plan<TrailShape>, recorded: &mut RecordedRanges) -> RecordedRanges {
    let mut known = match recorded.is_within(plan.games()) {
        true => std::mem::take(recorded),
        false => RecordedRanges::default(),
    };
    // Damaged ones are replaced by those of a replay.
    known.join(state.segments().stored_trails(plan.games()).unwrap_or_default());
    known
}

impl<'a, S: Shape> Part<'a, S> {
    fn begin(archive: &'a Archive, most_games: Option<u32>) -> Result<Part<'a, S>> {
        Ok(Part { plans: Plans::new(archive, most_games)?, report: IndexReport::default() })
    }

    /// Stores a segment, unless building it was stopped.
    fn store(
        &mut self,
        archive: &Archive,
        plan: Plan<S>,
        built: Result<BuiltSegment<S>>,
        state: &Archive,
    ) -> Result<()> {
        let built = match built {
            Err(ArchiveError::Stopped) => {
                self.report.stopped = true;
                return Ok(());
            }
            built => built?,
        };
        let games = built.shape.games();
        if archive.segments().add(plan.games(), &plan.replaced, built, state)? {
            self.report.games += u64::from(games);
            self.report.built += 1;
        }
        Ok(())
    }

    fn end(self) -> Result<IndexReport> {
        let segments = self.plans.archive.segments().of::<S>()?.len() as u64;
        Ok(IndexReport { segments, ..self.report })
    }
}
