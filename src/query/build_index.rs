//! Builds the index of positions, and the trails, one segment at a time.

use std::{ops::ControlFlow, time::Instant};

use super::index_plan::{Plan, next_segment, stale_segment};
use crate::{
    archive::{Archive, ArchiveError, BuiltSegment, Filter, Recorded, RecordedRange, Shape},
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
    recorded: Option<Recorded>,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport, ArchiveError> {
    build_positions(archive, recorded, true, watch)
}

fn build_positions(
    archive: &Archive,
    mut recorded: Option<Recorded>,
    extends: bool,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport, ArchiveError> {
    let bytes = archive.segments().block_bytes()?;
    build(archive, (position_index::MOST_GAMES, extends), watch, |games, watch| {
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
) -> Result<IndexReport, ArchiveError> {
    build_trails_of(archive, recorded, true, watch)
}

/// Rebuilds the segments of both indexes of which many games have changed. Returns whether it was completed.
///
/// # Errors
/// An SQLite error, or a disk error.
pub fn renew_index(
    archive: &Archive,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<bool, ArchiveError> {
    let positions = build_positions(archive, None, false, &mut watch)?;
    Ok(!positions.stopped && !build_trails_of(archive, &[], false, watch)?.stopped)
}

fn build_trails_of(
    archive: &Archive,
    recorded: &[RecordedRange],
    extends: bool,
    watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport, ArchiveError> {
    let bytes = archive.segments().block_bytes()?;
    build(archive, (trail::MOST_GAMES, extends), watch, |games, watch| {
        archive.segments().build_trails(games, recorded, bytes, watch)
    })
}

/// Receives the number of games processed; returns whether to continue.
type Watch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// The next segment to build: one of which many games have changed or, if the index is extended, one for games that it
/// does not cover.
fn next_plan<S: Shape>(
    archive: &Archive,
    (most_games, extends): (u32, bool),
) -> Result<Option<Plan<S>>, ArchiveError> {
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
    if extends { Ok(next_segment(&segments, archive.last_id()?, most_games)) } else { Ok(None) }
}

/// Builds segments until they cover all games, each with a limited number of games. `build_one` returns nothing if it was
/// cancelled.
fn build<S: Shape>(
    archive: &Archive,
    scope: (u32, bool),
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
    mut build_one: impl FnMut((GameId, GameId), Watch<'_>) -> Result<Option<BuiltSegment<S>>, ArchiveError>,
) -> Result<IndexReport, ArchiveError> {
    let begin = Instant::now();
    let mut report = IndexReport::default();
    while let Some(plan) = next_plan::<S>(archive, scope)? {
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
