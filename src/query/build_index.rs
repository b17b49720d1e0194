//! Building the index of positions, a segment at a time.

use std::{ops::ControlFlow, time::Instant};

use super::{
    batches::in_batches,
    index_plan::{Plan, next_segment},
};
use crate::{
    archive::{Archive, ArchiveError, IndexableGame, SectionReader},
    files::folder_of,
    position_index::{GameColumns, IndexedGame, MOST_GAMES, SegmentBuilder},
    record::GameId,
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
/// goes on where it was. `watch` is told the number of games of a segment that have been gone through and of those that
/// it has, and may break off.
///
/// # Errors
/// SQLite's, or of the disk: what does not fit in memory goes to a file beside the archive.
pub fn build_index(
    archive: &Archive,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<IndexReport, ArchiveError> {
    let begin = Instant::now();
    let mut report = IndexReport::default();
    while let Some(plan) = next_segment(&archive.position_segments()?, archive.last_id()?, MOST_GAMES) {
        let Some(games) = build(archive, &plan, &mut watch)? else {
            report.stopped = true;
            break;
        };
        report.games += games;
        report.built += 1;
    }
    report.segments = archive.position_segments()?.len() as u64;
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
}

/// Builds a segment; gives the number of its games, or `None` if it was broken off.
fn build(
    archive: &Archive,
    plan: &Plan,
    watch: &mut impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Option<u64>, ArchiveError> {
    let (first, last) = (plan.first, plan.last);
    let of_disk = |error| ArchiveError::Io { path: archive.path().to_owned(), error };
    let all = (last - first + 1).unsigned_abs();
    let builder = SegmentBuilder::new(usize::try_from(all).unwrap_or(usize::MAX), folder_of(archive.path()));
    let (mut failed, mut seen) = (None, 0);
    let mut sections = SectionReader::new(archive);
    let games = archive.indexable_games((first, last)).map(|game| indexed(&mut sections, game?, first));
    let is_whole = in_batches(
        games,
        |games| (games.len() as u64, builder.add(games)),
        |(games, added)| match added {
            Ok(()) => {
                seen += games;
                watch(seen, all)
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(of_disk(error));
    }
    if !is_whole || watch(all, all).is_break() {
        return Ok(None);
    }
    let segment = builder.finish(archive.block_bytes()?).map_err(of_disk)?;
    if watch(all, all).is_break() {
        return Ok(None);
    }
    let games = segment.shape.games.into();
    archive.add_segment((first, last), &plan.replaced, |write| {
        segment.blocks.into_iter().try_for_each(|(part, number, block)| write(part, number, block))?;
        Ok(segment.shape)
    })?;
    Ok(Some(games))
}

/// A game with all that the index has of it, in a segment that begins with an id.
fn indexed(
    sections: &mut SectionReader<'_>,
    game: IndexableGame,
    first: GameId,
) -> Result<IndexedGame, ArchiveError> {
    let IndexableGame { moves, facts, section } = game;
    let common = sections.facts(section)?;
    let (speed, casual) = (common.speed as u32, common.is_casual.into());
    let place = u32::try_from(moves.id - first).unwrap_or(u32::MAX);
    Ok((place, moves, GameColumns { speed, casual, ..facts }))
}
