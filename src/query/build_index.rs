//! Building the index of positions, a segment at a time.

use std::{ops::ControlFlow, time::Instant};

use super::index_plan::{Plan, next_segment};
use crate::{
    archive::{Archive, ArchiveError, Recorded},
    position_index::MOST_GAMES,
};

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct IndexReport {
    /// Games of the segments that were built.
    pub games: u64,
    /// Segments that were built.
    pub built: u64,
    /// Segments of the index.
    pub segments: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Whether it was broken off: what had been built stays.
    pub stopped: bool,
}

/// Indexes the games that are not indexed yet, in segments of bounded size, each durable by itself: what is broken off
/// begins again with the current segment. Games that were recorded while they were stored need not be replayed, if one
/// segment covers them all. `watch` is told the number of games of a segment that have been gone through and of those that
/// it has, and may break off.
///
/// # Errors
/// SQLite's, or of the disk: what does not fit in memory goes to a file beside the archive.
pub fn build_index(
    archive: &Archive,
    mut recorded: Option<Recorded>,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport, ArchiveError> {
    let begin = Instant::now();
    let mut report = IndexReport::default();
    while let Some(plan) = next_segment(&archive.position_segments()?, archive.last_id()?, MOST_GAMES) {
        let recorded = recorded.take_if(|recorded| recorded.is_within((plan.first, plan.last)));
        match build(archive, &plan, recorded, &mut watch)? {
            Built::Added(games) => {
                report.games += games;
                report.built += 1;
            }
            Built::InTheMeantime => {}
            Built::Stopped => {
                report.stopped = true;
                break;
            }
        }
    }
    report.segments = archive.position_segments()?.len() as u64;
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
}

/// What became of a segment that was to be built.
enum Built {
    /// It was, of so many games.
    Added(u64),
    /// Another program has built one there in the meantime.
    InTheMeantime,
    /// It was broken off.
    Stopped,
}

fn build(
    archive: &Archive,
    plan: &Plan,
    recorded: Option<Recorded>,
    watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Built, ArchiveError> {
    let games = (plan.first, plan.last);
    let all = (plan.last - plan.first + 1).unsigned_abs();
    let bytes = archive.block_bytes()?;
    let segment = archive.build_segment(games, recorded, bytes, |games| watch(games, all))?;
    let Some(segment) = segment else { return Ok(Built::Stopped) };
    let is_added = archive.add_segment(games, &plan.replaced, |write| {
        segment.blocks.into_iter().try_for_each(|(part, number, block)| write(part, number, block))?;
        Ok(segment.shape)
    })?;
    Ok(if is_added { Built::Added(segment.shape.games.into()) } else { Built::InTheMeantime })
}
