//! Builds the index of positions, and the trails, one segment at a time: few segments, without rebuilding any game too
//! often.

use std::{collections::HashSet, marker::PhantomData, ops::ControlFlow, time::Instant};

use crate::{
    archive::{
        Archive, ArchiveError, BuiltSegment, Filter, IndexFlaws, Recorded, RecordedRanges, Result, Segments,
        Shape, StoredSegment,
    },
    position_index::{self, SegmentShape},
    record::{GameId, GameRange},
    trail::{self, TrailShape},
};

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct IndexReport {
    /// Games in the segments that were built.
    pub games: u64,
    /// Segments that were built.
    pub built: u64,
    /// Segments of the index.
    pub segments: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Whether it was cancelled: segments built before that are kept.
    pub stopped: bool,
}

/// Indexes the positions of the games that are not indexed yet, in segments of limited size. Each segment is durable on
/// its own: after a cancellation, the next call starts with the segment that was not finished. Games that were recorded
/// while they were stored need not be replayed, if one segment covers them all. `watch` receives the number of games of
/// a segment processed so far and its total, and may cancel.
///
/// # Errors
/// An SQLite error, or a disk error: data that does not fit in memory goes to a file next to the archive.
pub fn build_index(
    archive: &Archive,
    recorded: Option<Recorded>,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport> {
    let plans = Plans::new(archive, Some(position_index::MOST_GAMES))?;
    build(archive, plans, watch, positions_of(archive, recorded)?)
}

/// Builds the trails in the same way.
pub fn build_trails(
    archive: &Archive,
    recorded: &RecordedRanges,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport> {
    let plans = Plans::new(archive, Some(trail::MOST_GAMES))?;
    build(archive, plans, watch, trails_of(archive, Some(recorded))?)
}

/// Rebuilds the segments of both indexes of which many games have changed. Returns whether it was completed.
pub fn renew_index(archive: &Archive, mut watch: impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<bool> {
    let positions = build(archive, Plans::new(archive, None)?, &mut watch, positions_of(archive, None)?)?;
    let trails = match positions.stopped {
        true => IndexReport::default(),
        false => build(archive, Plans::new(archive, None)?, watch, trails_of(archive, None)?)?,
    };
    if positions.built + trails.built > 0 {
        archive.end_log()?;
    }
    Ok(!positions.stopped && !trails.stopped)
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
    Ok(rebuild(archive, &flaws, &mut watch, positions_of(archive, None)?)?
        + rebuild(archive, &flaws, &mut watch, trails_of(archive, Some(&RecordedRanges::default()))?)?)
}

/// Rebuilds the segments with flaws. Returns how many.
fn rebuild<S: Shape>(
    archive: &Archive,
    flaws: &IndexFlaws,
    watch: &mut impl FnMut(u64, u64),
    build_one: impl BuildOne<S>,
) -> Result<u64> {
    let is_wrong = |segment: &StoredSegment<S>| flaws.segments.contains(&segment.id);
    let wrong: Vec<_> = archive.segments().of::<S>()?.into_iter().filter(is_wrong).map(Plan::again).collect();
    let watch = |games, all| {
        watch(games, all);
        ControlFlow::Continue(())
    };
    Ok(build(archive, wrong.into_iter().map(Ok), watch, build_one)?.built)
}

/// Receives the number of games processed; returns whether to continue.
type Watch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// Builds the segment of some games from a state of the archive.
trait BuildOne<S>: FnMut(Segments<'_>, GameRange, Watch<'_>) -> Result<BuiltSegment<S>> {}

impl<S, F> BuildOne<S> for F where F: FnMut(Segments<'_>, GameRange, Watch<'_>) -> Result<BuiltSegment<S>> {}

/// Builds positions; the first segment that covers the recorded games, without replaying these.
fn positions_of(archive: &Archive, mut recorded: Option<Recorded>) -> Result<impl BuildOne<SegmentShape>> {
    let bytes = archive.segments().block_bytes()?;
    Ok(move |state: Segments<'_>, games, watch: Watch<'_>| {
        let recorded = recorded.take_if(|recorded| recorded.is_within(games));
        state.build_positions(games, recorded, bytes, watch)
    })
}

/// Builds trails, without replaying the recorded games; `None` if the segments have the trails of games that have not
/// changed.
fn trails_of(archive: &Archive, recorded: Option<&RecordedRanges>) -> Result<impl BuildOne<TrailShape>> {
    let bytes = archive.segments().block_bytes()?;
    Ok(move |state: Segments<'_>, games, watch: Watch<'_>| {
        let read;
        let recorded = match recorded {
            Some(recorded) => recorded,
            // Damaged trails are replaced by those of a replay.
            None => {
                read = state.recorded_trails(games).unwrap_or_default();
                &read
            }
        };
        state.build_trails(games, recorded, bytes, watch)
    })
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

impl<S: Shape> Iterator for Plans<'_, S> {
    type Item = Result<Plan<S>>;

    fn next(&mut self) -> Option<Result<Plan<S>>> {
        let plan = self.next_plan().transpose()?;
        self.planned.extend(plan.iter().map(|plan| plan.first));
        Some(plan)
    }
}

/// Builds segments as planned, each from a state of the archive. Those that another program has built in the meantime
/// are left as they are.
fn build<S: Shape>(
    archive: &Archive,
    plans: impl Iterator<Item = Result<Plan<S>>>,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    mut build_one: impl BuildOne<S>,
) -> Result<IndexReport> {
    let begin = Instant::now();
    let mut report = IndexReport::default();
    for plan in plans {
        let Plan { first, last, replaced } = plan?;
        let (games, all) = ((first..=last).into(), (last - first + 1).unsigned_abs());
        let state = archive.segments().present_state()?;
        let built = match build_one(state.segments(), games, &mut |games| watch(games, all)) {
            Err(ArchiveError::Stopped) => {
                report.stopped = true;
                break;
            }
            built => built?,
        };
        let games_built = built.shape.games();
        if archive.segments().add(games, &replaced, built, &state)? {
            report.games += u64::from(games_built);
            report.built += 1;
        }
    }
    report.segments = archive.segments().of::<S>()?.len() as u64;
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
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
