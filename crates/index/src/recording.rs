//! What is recorded of games while they are read or replayed, so that both kinds of segments are built without replaying
//! them again.

use std::ops::{ControlFlow, Range};

use crate::{indexable, position_index::RecordedPositions, trail::RecordedTrails};
use plybook_chess::chess::{Move, Position, QuickChess, Variant, VariantPosition};
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
        let (shown, is_wanted) = (self.add_shown(), self.positions.is_some() || self.trails.is_some());
        if !is_wanted || shown.positions.is_some() || shown.trail.is_some() {
            return shown;
        }
        if let Some(mut position) = indexable(variant, start()) {
            self.begin(&position);
            for &m in moves {
                position.play_unchecked(m);
                self.go_on(m, &position);
            }
            self.end(&position);
        }
        self.add_any()
    }

    /// Records a stored game, which is replayed once. Damaged games are not indexed.
    pub fn add_stored(&mut self, game: &StoredMoves) -> Places {
        let start = game.start().ok().and_then(|start| indexable(game.variant, start));
        if let Some(start) = start
            && let Ok(replay) = game.replay(start.clone())
        {
            self.begin(&start);
            let replayed = replay.run(|position, m| {
                m.into_iter().for_each(|m| self.go_on(m, position));
                ControlFlow::Continue(())
            });
            match replayed {
                Ok(Some((last, _))) => self.end(&last),
                _ => self.forget(),
            }
        }
        self.add_any()
    }

    /// Starts recording a game of chess, with the usual start position or one that may be indexed.
    pub fn begin(&mut self, start: &QuickChess) {
        self.positions.iter_mut().for_each(|to| to.begin(start));
        self.trails.iter_mut().for_each(|to| to.begin(start));
    }

    /// Records a move, and the position after it.
    #[inline]
    pub fn go_on(&mut self, m: Move, position: &QuickChess) {
        self.positions.iter_mut().for_each(|to| to.go_on(m, position));
        self.trails.iter_mut().for_each(|to| to.go_on(m, position));
    }

    /// Records the last position.
    pub fn end(&mut self, last: &QuickChess) {
        self.trails.iter_mut().for_each(|to| to.end(last));
    }

    /// Discards the current game.
    pub fn forget(&mut self) {
        self.positions.iter_mut().for_each(RecordedPositions::forget);
        self.trails.iter_mut().for_each(RecordedTrails::forget);
    }

    /// Finishes the current game, if one was recorded.
    fn add_shown(&mut self) -> Places {
        Places {
            positions: self.positions.as_mut().and_then(RecordedPositions::add_shown),
            trail: self.trails.as_mut().and_then(RecordedTrails::add_shown),
        }
    }

    /// Finishes the current game; one that was not recorded has no trail.
    fn add_any(&mut self) -> Places {
        let Places { positions, trail } = self.add_shown();
        let without = || self.trails.as_mut().map(RecordedTrails::add_without);
        Places { positions, trail: trail.or_else(without) }
    }
}

impl Places {
    /// The bytes that were recorded.
    pub fn bytes(&self) -> usize {
        [&self.positions, &self.trail].into_iter().flatten().map(Range::len).sum()
    }
}
