//! Building the index of positions: a segment for games that have none, in place of small segments before them.

use std::ops::ControlFlow;

use super::batches::in_batches;
use crate::{
    archive::{Archive, ArchiveError, IndexableGame, SectionReader, StoredSegment},
    files::folder_of,
    position_index::{GameColumns, IndexedGame, MOST_GAMES, SegmentBuilder},
    record::GameId,
};

/// A segment is built anew with those after it once they have this part of its games.
const FAN_IN: i64 = 4;

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct IndexReport {
    /// Games of the segments that were built.
    pub games: u64,
    /// Segments that were built.
    pub built: u64,
    /// Segments of the index.
    pub segments: u64,
}

/// A segment to be built, and those that it replaces.
struct Plan {
    first: GameId,
    last: GameId,
    replaced: Vec<StoredSegment>,
}

/// Indexes the games that are not indexed yet, in segments of bounded size, each durable by itself: what is broken off
/// goes on where it was. `watch` is told the number of games gone through so far and of those that there are.
///
/// # Errors
/// SQLite's, or of the disk: what does not fit in memory goes to a file beside the archive.
pub fn build_index(archive: &Archive, mut watch: impl FnMut(u64, u64)) -> Result<IndexReport, ArchiveError> {
    let mut report = IndexReport::default();
    while let Some(plan) = plan(&archive.position_segments()?, archive.last_id()?) {
        report.games += build(archive, plan, &mut watch)?;
        report.built += 1;
    }
    report.segments = archive.position_segments()?.len() as u64;
    Ok(report)
}

/// What is to be built next.
fn plan(segments: &[StoredSegment], last_id: GameId) -> Option<Plan> {
    let mut first = segments.last().map_or(1, |segment| segment.last + 1);
    if first > last_id {
        return None;
    }
    let most = i64::from(MOST_GAMES);
    let mut kept = segments.len();
    // What fits is built together with smaller segments before it, so that there are few.
    while let Some(before) = kept.checked_sub(1).and_then(|before| segments.get(before)) {
        let new = last_id.min(first + most - 1) - first + 1;
        let length = before.last - before.first + 1;
        if length >= FAN_IN * new || length + new > most {
            break;
        }
        (first, kept) = (before.first, kept - 1);
    }
    let replaced = segments.get(kept..).unwrap_or_default().to_vec();
    Some(Plan { first, last: last_id.min(first + most - 1), replaced })
}

/// Builds a segment; gives the number of its games.
fn build(archive: &Archive, plan: Plan, watch: &mut impl FnMut(u64, u64)) -> Result<u64, ArchiveError> {
    let (first, last) = (plan.first, plan.last);
    let of_disk = |error| ArchiveError::Io { path: archive.path().to_owned(), error };
    let all = usize::try_from(last - first + 1).unwrap_or(usize::MAX);
    let builder = SegmentBuilder::new(all, folder_of(archive.path()));
    let mut failed = None;
    let mut sections = SectionReader::new(archive);
    let games = archive.indexable_games((first, last)).map(|game| {
        let game = indexed(&mut sections, game?, first)?;
        if game.0.is_multiple_of(1 << 12) {
            watch(u64::from(game.0), all as u64);
        }
        Ok(game)
    });
    in_batches(
        games,
        |games| builder.add(games),
        |added| match added {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(of_disk(error));
    }
    watch(all as u64, all as u64);
    let bytes = archive.block_bytes()?;
    let segment = builder.finish(bytes).map_err(of_disk)?;
    let games = segment.shape.games.into();
    archive.add_segment((first, last), &plan.replaced, |write| {
        segment.blocks.into_iter().try_for_each(|(part, number, block)| write(part, number, block))?;
        Ok(segment.shape)
    })?;
    Ok(games)
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
