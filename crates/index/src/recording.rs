//! What is recorded of games while they are read or replayed, so that both kinds of segments are built without replaying
//! them again.

use std::ops::{ControlFlow, Range};

use crate::{indexable, position_index::RecordedPositions, trail::RecordedTrails};
use plybook_chess::chess::{Move, Variant, VariantPosition};
use plybook_record::StoredMoves;

/// Parts of the index, which are built or recorded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexParts {
    /// Positions.
    pub positions: bool,
    /// Trails.
    pub trails: bool,
}

impl IndexParts {
    /// Both.
    pub const ALL: IndexParts = IndexParts { positions: true, trails: true };

    /// Positions alone.
    pub const POSITIONS: IndexParts = IndexParts { trails: false, ..IndexParts::ALL };

    /// Trails alone.
    pub const TRAILS: IndexParts = IndexParts { positions: false, ..IndexParts::ALL };
}

/// What was recorded of some games; `None` of what is not wanted.
#[derive(Debug, Default)]
pub struct Recording {
    /// Their positions.
    pub positions: Option<RecordedPositions>,
    /// Their trails.
    pub trails: Option<RecordedTrails>,
}

/// Where the data recorded for a game is.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `None` if the game is not to be indexed.
    pub positions: Option<Range<usize>>,
    /// `None` if trails are not wanted.
    pub trail: Option<Range<usize>>,
}

impl Recording {
    /// Prepares to record for some parts of the index.
    pub fn of(IndexParts { positions, trails }: IndexParts) -> Recording {
        Recording {
            positions: positions.then(RecordedPositions::default),
            trails: trails.then(RecordedTrails::default),
        }
    }

    /// Records a game of a variant from its start, unless it was recorded while it was read; all moves must be legal.
    pub fn add(&mut self, variant: Variant, start: impl Fn() -> VariantPosition, moves: &[Move]) -> Places {
        let Recording { positions, trails } = self;
        let positions =
            positions.as_mut().and_then(|to| to.add_shown().or_else(|| to.add(variant, start(), moves)));
        let trail =
            trails.as_mut().map(|to| to.add_shown().unwrap_or_else(|| to.add(variant, start(), moves)));
        Places { positions, trail }
    }

    /// Records a stored game, which is replayed once. Damaged games are not indexed.
    pub fn add_stored(&mut self, game: &StoredMoves) -> Places {
        self.replay(game);
        let Recording { positions, trails } = self;
        Places {
            positions: positions.as_mut().and_then(RecordedPositions::add_shown),
            trail: trails.as_mut().map(|to| to.add_shown().unwrap_or_else(|| to.add_without())),
        }
    }

    /// Records a stored game, if it is to be indexed.
    fn replay(&mut self, game: &StoredMoves) {
        let Some(start) = game.start().ok().and_then(|start| indexable(game.variant, start)) else { return };
        let Ok(replay) = game.replay(start.clone()) else { return };
        let (mut positions, mut trails) = (self.positions.as_mut(), self.trails.as_mut());
        positions.iter_mut().for_each(|to| to.begin(&start));
        trails.iter_mut().for_each(|to| to.begin(&start));
        let replayed = replay.run(|position, m| {
            if let Some(m) = m {
                positions.iter_mut().for_each(|to| to.go_on(m, position));
                trails.iter_mut().for_each(|to| to.go_on(m, position));
            }
            ControlFlow::Continue(())
        });
        match replayed {
            Ok(Some((last, _))) => trails.into_iter().for_each(|to| to.end(&last)),
            _ => positions.into_iter().for_each(RecordedPositions::forget),
        }
    }
}

impl Places {
    /// The bytes that were recorded.
    pub fn bytes(&self) -> usize {
        [&self.positions, &self.trail].into_iter().flatten().map(Range::len).sum()
    }
}
