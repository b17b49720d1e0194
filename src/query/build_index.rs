//! Builds the index of positions, and the trails, one segment at a time: few segments, without rebuilding any game too
//! often.

use std::{ops::ControlFlow, time::Instant};

use crate::{
    archive::{Archive, BuiltSegment, Filter, Recorded, RecordedRange, Result, Shape, StoredSegment},
    position_index,
    record::GameId,
    trail,
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
    mut recorded: Option<Recorded>,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport> {
    let bytes = archive.segments().block_bytes()?;
    build(archive, Some(position_index::MOST_GAMES), watch, |games, watch| {
        let recorded = recorded.take_if(|recorded| recorded.is_within(games));
        archive.segments().build_positions(games, recorded, bytes, watch)
    })
}

/// Builds the trails in the same way.
///
/// # Errors
/// An SQLite error.
pub fn build_trails(
    archive: &Archive,
    recorded: &[RecordedRange],
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport> {
    let bytes = archive.segments().block_bytes()?;
    build(archive, Some(trail::MOST_GAMES), watch, |games, watch| {
        archive.segments().build_trails(games, recorded, bytes, watch)
    })
}

/// Rebuilds the segments of both indexes of which many games have changed. Returns whether it was completed.
///
/// # Errors
/// An SQLite error, or a disk error.
pub fn renew_index(archive: &Archive, mut watch: impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<bool> {
    let segments = archive.segments();
    let bytes = segments.block_bytes()?;
    let positions = |games, watch: Watch<'_>| segments.build_positions(games, None, bytes, watch);
    let trails = |games, watch: Watch<'_>| segments.build_trails(games, &[], bytes, watch);
    Ok(!build(archive, None, &mut watch, positions)?.stopped && !build(archive, None, watch, trails)?.stopped)
}

/// Receives the number of games processed; returns whether to continue.
type Watch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// The next segment to build: one of which many games have changed or, if the index is extended, one for games that it
/// does not cover. `extended_by` is the maximum number of games of such a segment; `None` if the index is not extended.
fn next_plan<S: Shape>(archive: &Archive, extended_by: Option<u32>) -> Result<Option<Plan<S>>> {
    let segments = archive.segments().of::<S>()?;
    let mut with_stale = Vec::new();
    for segment in &segments {
        let stale = archive.segments().stale_games(segment)?.len();
        let range = Filter { ids: Some(segment.first..=segment.last), limit: Some(1), ..Filter::default() };
        if stale > 0 && archive.list::<GameId>(&range).next().is_some() {
            with_stale.push((segment.clone(), stale));
        }
    }
    if let Some(plan) = stale_segment(&with_stale) {
        return Ok(Some(plan));
    }
    let Some(most_games) = extended_by else { return Ok(None) };
    Ok(next_segment(&segments, archive.last_id()?, most_games))
}

/// Builds segments until they cover all games, each with a limited number of games. `build_one` returns nothing if it was
/// cancelled.
fn build<S: Shape>(
    archive: &Archive,
    extended_by: Option<u32>,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    mut build_one: impl FnMut((GameId, GameId), Watch<'_>) -> Result<Option<BuiltSegment<S>>>,
) -> Result<IndexReport> {
    let begin = Instant::now();
    let mut report = IndexReport::default();
    while let Some(plan) = next_plan::<S>(archive, extended_by)? {
        let games = (plan.first, plan.last);
        let all = (plan.last - plan.first + 1).unsigned_abs();
        let Some(built) = build_one(games, &mut |games| watch(games, all))? else {
            report.stopped = true;
            break;
        };
        let games_built = built.shape.games();
        let is_added = archive.segments().add(games, &plan.replaced, built)?;
        // Otherwise another program has built one there in the meantime.
        if is_added {
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
    Some(Plan { first: segment.first, last: segment.last, replaced: vec![segment.clone()] })
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
