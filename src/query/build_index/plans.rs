//! Which segments of the index are built: few, without rebuilding any game too often.

use std::{collections::HashSet, marker::PhantomData};

use crate::{
    archive::{Archive, Filter, Result, Shape, StoredSegment},
    record::{GameId, GameRange},
};

/// The segments to build, one after the other: those of which many games have changed and, if the index is extended,
/// those for games that it does not cover.
// Other programs may make changes and build segments at the same time, so each plan is made from the segments that there
// are then. It ends nevertheless: games added later are left to those who add them, and no segment is renewed twice.
pub(super) struct Plans<'a, S> {
    pub(super) archive: &'a Archive,
    /// The most games of a segment; `None` if the index is not extended.
    most_games: Option<u32>,
    /// The last game to be indexed.
    last: GameId,
    /// The first games of the segments that have been planned.
    planned: HashSet<GameId>,
    segments: PhantomData<S>,
}

impl<'a, S: Shape> Plans<'a, S> {
    pub(super) fn new(archive: &'a Archive, most_games: Option<u32>) -> Result<Plans<'a, S>> {
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

    /// The next plan, if it is for some of these games.
    pub(super) fn next_within(&mut self, games: GameRange) -> Result<Option<Plan<S>>> {
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
pub(super) struct Plan<S> {
    first: GameId,
    last: GameId,
    pub(super) replaced: Vec<StoredSegment<S>>,
}

impl<S> Plan<S> {
    /// To build a segment again.
    pub(super) fn again(segment: StoredSegment<S>) -> Plan<S> {
        Plan { first: segment.first, last: segment.last, replaced: vec![segment] }
    }

    pub(super) fn games(&self) -> GameRange {
        (self.first..=self.last).into()
    }

    /// The number of ids.
    pub(super) fn count(&self) -> u64 {
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
