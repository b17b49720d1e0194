//! Builds the index of positions, and the trails, one segment at a time: few segments, without rebuilding any game too
//! often.

use std::{collections::HashSet, marker::PhantomData, ops::ControlFlow, time::Instant};

use crate::{
    archive::{
        Archive, ArchiveError, BuiltSegment, Filter, IndexFlaws, Recorded, RecordedRanges, Result, Shape,
        StoredSegment,
    },
    position_index::{self, SegmentShape},
    record::{GameId, GameRange},
    recording::IndexParts,
    trail::{self, TrailShape},
};

/// The most games of a segment.
const MOST_GAMES: u32 = if position_index::MOST_GAMES < trail::MOST_GAMES {
    position_index::MOST_GAMES
} else {
    trail::MOST_GAMES
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

    /// Builds all segments that are due. Those of trails that are in place are not read from games again.
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
    known.join(state.segments().recorded_trails(plan.games()).unwrap_or_default());
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

/// The segments to build, one after the other: those of which many games have changed and, if the index is extended,
/// those for games that it does not cover.
// Other programs may make changes and build segments at the same time, so each plan is made from the segments that there
// are then. It ends nevertheless: games added later are left to those who add them, and no segment is renewed twice.
struct Plans<'a, S> {
    archive: &'a Archive,
    /// The most games of a segment; `None` if the index is not extended.
    most_games: Option<u32>,
    /// The last game to be indexed.
    last: GameId,
    /// The first games of the segments that have been planned.
    planned: HashSet<GameId>,
    segments: PhantomData<S>,
}

impl<'a, S: Shape> Plans<'a, S> {
    fn new(archive: &'a Archive, most_games: Option<u32>) -> Result<Plans<'a, S>> {
        let last = archive.last_id()?;
        Ok(Plans { archive, most_games, last, planned: HashSet::new(), segments: PhantomData })
    }

    fn next_plan(&self) -> Result<Option<Plan<S>>> {
        let segments = self.archive.segments().of::<S>()?;
        let mut with_stale = Vec::new();
        for segment in segments.iter().filter(|segment| !self.planned.contains(&segment.first)) {
            let stale = self.archive.segments().stale_games(segment)?.len();
            let range =
                Filter { ids: Some(segment.first..=segment.last), limit: Some(1), ..Filter::default() };
            if stale > 0 && self.archive.list::<GameId>(&range).next().is_some() {
                with_stale.push((segment.clone(), stale));
            }
        }
        if let Some(plan) = stale_segment(&with_stale) {
            return Ok(Some(plan));
        }
        let Some(most_games) = self.most_games else { return Ok(None) };
        Ok(next_segment(&segments, self.last, most_games).map(|plan| match plan.extended() {
            // Another program renews one of those that it would replace, again and again.
            Some(extended) if self.planned.contains(&plan.first) => extended,
            _ => plan,
        }))
    }
}

impl<S: Shape> Plans<'_, S> {
    /// The next plan, if it is for some of these games.
    fn next_within(&mut self, games: GameRange) -> Result<Option<Plan<S>>> {
        let is_within = |plan: &Plan<S>| games.start <= plan.first && plan.last <= games.last;
        let plan = self.next_plan()?.filter(is_within);
        self.planned.extend(plan.iter().map(|plan| plan.first));
        Ok(plan)
    }
}

impl<S: Shape> Iterator for Plans<'_, S> {
    type Item = Result<Plan<S>>;

    fn next(&mut self) -> Option<Result<Plan<S>>> {
        let plan = self.next_plan().transpose()?;
        self.planned.extend(plan.iter().map(|plan| plan.first));
        Some(plan)
    }
}

/// A segment is rebuilt together with the later ones once they have more than 1/4 of its games.
// Segments cannot be merged as streams: which positions are popular, and the sort positions of games, depend on all
// games of a segment, so a merge is a rebuild. A fan-in of 4 rebuilds a game a logarithmic number of times while the
// number of segments, each of which every query visits, stays small.
const FAN_IN: i64 = 4;

/// A segment to be built, and those that it replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plan<S> {
    first: GameId,
    last: GameId,
    replaced: Vec<StoredSegment<S>>,
}

impl<S> Plan<S> {
    /// To build a segment again.
    fn again(segment: StoredSegment<S>) -> Plan<S> {
        Plan { first: segment.first, last: segment.last, replaced: vec![segment] }
    }

    fn games(&self) -> GameRange {
        (self.first..=self.last).into()
    }

    /// The number of ids.
    fn count(&self) -> u64 {
        (self.last - self.first + 1).unsigned_abs()
    }

    /// The same without replacing segments, if it covers other games too.
    fn extended(&self) -> Option<Plan<S>> {
        let first = self.replaced.last()?.last + 1;
        (first <= self.last).then(|| Plan { first, last: self.last, replaced: Vec::new() })
    }
}

/// A segment is rebuilt if more games than this have changed since it was built, or a larger part than this.
const MANY_STALE: usize = 1000;
const STALE_PART: usize = 50;

/// A segment that is to be rebuilt, because many of its games have changed: each of them is read for every query. The
/// number of stale games belongs to each segment.
fn stale_segment<S: Shape>(segments: &[(StoredSegment<S>, usize)]) -> Option<Plan<S>> {
    let is_due = |(segment, stale): &&(StoredSegment<S>, usize)| {
        *stale > MANY_STALE || stale * STALE_PART > segment.shape.games() as usize
    };
    let (segment, _) = segments.iter().find(is_due)?;
    Some(Plan::again(segment.clone()))
}

/// The next segment to build, so that segments of at most `most` ids cover all games up to an id; `None` if they
/// already do.
fn next_segment<S: Clone>(segments: &[StoredSegment<S>], last_id: GameId, most: u32) -> Option<Plan<S>> {
    let mut first = segments.last().map_or(1, |segment| segment.last + 1);
    if first > last_id {
        return None;
    }
    let most = i64::from(most);
    let last_from = |first: GameId| last_id.min(first + most - 1);
    let mut kept = segments.len();
    // Smaller segments before it are merged into it if they fit, to keep their number low.
    while let Some(before) = kept.checked_sub(1).and_then(|before| segments.get(before)) {
        let new = last_from(first) - first + 1;
        let length = before.last - before.first + 1;
        // The upper limit keeps the memory of a build bounded. Held at once, the records of a million games took 3.3
        // GB.
        if length >= FAN_IN * new || length + new > most {
            break;
        }
        (first, kept) = (before.first, kept - 1);
    }
    let replaced = segments.get(kept..).unwrap_or_default().to_vec();
    Some(Plan { first, last: last_from(first), replaced })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_index::SegmentShape;

    const MOST: u32 = 1 << 12;

    /// Imports of some sizes, each followed by indexing; returns the total number of games built.
    fn grow(imports: impl IntoIterator<Item = i64>) -> (Vec<StoredSegment>, i64) {
        let (mut segments, mut last_id, mut built) = (Vec::<StoredSegment>::new(), 0, 0);
        for games in imports {
            last_id += games;
            while let Some(Plan { first, last, replaced }) = next_segment(&segments, last_id, MOST) {
                assert!(last <= last_id && last - first < i64::from(MOST));
                // It replaces the last segments and comes after all others.
                let kept = segments.len() - replaced.len();
                assert_eq!(segments.split_off(kept), replaced);
                assert_eq!(first, segments.last().map_or(1, |segment| segment.last + 1));
                segments.push(StoredSegment { part: 0, id: 0, first, last, shape: SegmentShape::default() });
                built += last - first + 1;
            }
            assert_eq!(segments.last().map_or(0, |segment| segment.last), last_id);
            assert_is_short(&segments, last_id);
        }
        (segments, built)
    }

    /// There are as many segments as the games fill, plus one incomplete segment for each power of four.
    fn assert_is_short(segments: &[StoredSegment], games: i64) {
        let full = 2 * games / i64::from(MOST);
        let others = i64::from(MOST.ilog2() / 2 + 1);
        assert!(segments.len() as i64 <= full + others, "{} of {games} games", segments.len());
    }

    #[test]
    fn segments_cover_all_games_once_and_are_few() {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for largest in [1, 2, 10, 100, 1_000, 3 * i64::from(MOST)] {
            let sizes = std::iter::repeat_with(|| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (random >> 33) as i64 % largest + 1
            });
            grow(sizes.take(300));
        }
        assert_eq!(grow([0, 0]).0, []);
    }

    #[test]
    fn no_game_is_rebuilt_too_often() {
        for step in [1, 3, 16, 100] {
            let steps = i64::from(MOST) / step;
            let (_, built) = grow((0..steps).map(|_| step));
            let most = 2 * (64 - steps.leading_zeros() as i64) * steps * step;
            assert!(built < most, "steps of {step}: {built} games built for {}", steps * step);
        }
        // A single import builds each game once.
        let (segments, built) = grow([10 * i64::from(MOST)]);
        assert_eq!((segments.len(), built), (10, 10 * i64::from(MOST)));
    }
}
