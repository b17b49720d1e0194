//! What is recorded for the index and the trails while the games of a batch are read.

use std::ops::Range;

use crate::{
    archive::{Archive, Result},
    pgn::Game,
    position_index::RecordedPositions,
    trail::RecordedTrails,
};

/// What to record, or which indexes to build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordingOptions {
    pub positions: bool,
    pub trails: bool,
}

/// What was recorded for a batch.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub positions: Option<RecordedPositions>,
    pub trails: Option<RecordedTrails>,
}

/// Where the data recorded for a game is.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// `None` if the game is not to be indexed.
    pub positions: Option<Range<usize>>,
    pub trail: Option<Range<usize>>,
}

impl RecordingOptions {
    /// Everything, or what the archive already has.
    pub(crate) fn of(archive: &Archive, all: bool) -> Result<RecordingOptions> {
        Ok(RecordingOptions {
            positions: all || !archive.segments().positions()?.is_empty(),
            trails: all || !archive.segments().trails()?.is_empty(),
        })
    }
}

impl Recording {
    pub(super) fn new(wanted: RecordingOptions) -> Recording {
        Recording {
            positions: wanted.positions.then(RecordedPositions::default),
            trails: wanted.trails.then(RecordedTrails::default),
        }
    }

    /// Records a game; fastest if it was recorded while it was read.
    pub(super) fn add(&mut self, game: &Game) -> Places {
        let Recording { positions, trails } = self;
        let (variant, moves) = (game.variant, &game.moves);
        let positions = positions.as_mut();
        let positions =
            positions.and_then(|to| to.add_shown().or_else(|| to.add(variant, game.start(), moves)));
        let trail = trails.as_mut();
        let trail = trail.map(|to| to.add_shown().unwrap_or_else(|| to.add(variant, game.start(), moves)));
        Places { positions, trail }
    }
}

impl Places {
    /// Estimates its memory.
    pub(super) fn bytes(&self) -> usize {
        [&self.positions, &self.trail].into_iter().flatten().map(Range::len).sum()
    }
}
