//! Tests of complete games. Each test defines what its trail says and how a replay decides.

use std::{fmt, sync::Arc};

use super::pattern::Match;
use crate::{
    chess::{Color, Move},
    record::StoredMoves,
    trail::{Facts, TrailReader},
};

/// Tests of a complete game, all of which must pass.
#[derive(Clone, Debug, Default)]
pub struct Course(Vec<CourseTest>);

/// A test of a complete game.
#[derive(Clone)]
pub enum CourseTest {
    /// Decided by the [facts](Facts), which are known only for standard chess and Chess960.
    Facts(Arc<dyn Fn(Facts) -> bool + Send + Sync>),
    /// Decided by the moves.
    Moves(Arc<dyn MovesTest>),
}

/// A test of the moves of a game.
pub trait MovesTest: Send + Sync {
    /// What the trail of a game says without a replay.
    fn by_trail(&self, trail: TrailReader<'_>) -> Match;

    /// Begins a replay.
    fn begin(&self) -> Box<dyn MovesRun>;
}

/// A test of the moves of a game during its replay.
pub trait MovesRun {
    /// Processes the next move, and whether it gives check.
    fn to(&mut self, m: Move, by: Color, is_check: bool);

    /// Whether the moves so far have passed.
    fn is_done(&self) -> bool;
}

impl CourseTest {
    /// A test by facts.
    pub fn facts(test: impl Fn(Facts) -> bool + Send + Sync + 'static) -> CourseTest {
        CourseTest::Facts(Arc::new(test))
    }

    /// A test by moves.
    pub fn moves(test: impl MovesTest + 'static) -> CourseTest {
        CourseTest::Moves(Arc::new(test))
    }
}

impl Course {
    /// Adds a test.
    pub fn add(&mut self, test: CourseTest) {
        self.0.push(test);
    }

    /// Whether every game passes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether some tests depend on facts.
    pub fn asks_facts(&self) -> bool {
        self.0.iter().any(|test| matches!(test, CourseTest::Facts(_)))
    }

    /// Whether a game passes the tests of facts.
    pub(super) fn fits(&self, facts: Facts) -> bool {
        self.0.iter().all(|test| match test {
            CourseTest::Facts(test) => test(facts),
            CourseTest::Moves(_) => true,
        })
    }

    /// The same if the facts are not available.
    pub(super) fn has_facts(&self, game: &StoredMoves) -> bool {
        !self.asks_facts() || {
            let facts = Facts::of(game);
            facts.are_known() && self.fits(facts)
        }
    }

    fn moves(&self) -> impl Iterator<Item = &dyn MovesTest> {
        self.0.iter().filter_map(|test| match test {
            CourseTest::Facts(_) => None,
            CourseTest::Moves(test) => Some(&**test),
        })
    }

    /// What a trail says about the tests of moves.
    pub(super) fn by_trail(&self, trail: TrailReader<'_>) -> Match {
        self.moves().map(|test| test.by_trail(trail)).min().unwrap_or(Match::Yes)
    }

    /// Begins a replay for the tests of moves.
    pub(super) fn begin(&self) -> CourseRun {
        CourseRun(self.moves().map(MovesTest::begin).collect())
    }
}

/// The tests of moves during the replay of a game.
pub(super) struct CourseRun(Vec<Box<dyn MovesRun>>);

impl CourseRun {
    pub(super) fn to(&mut self, m: Move, by: Color, is_check: bool) {
        self.0.iter_mut().for_each(|test| test.to(m, by, is_check));
    }

    pub(super) fn is_done(&self) -> bool {
        self.0.iter().all(|test| test.is_done())
    }
}

impl fmt::Debug for CourseTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CourseTest::Facts(_) => "Facts",
            CourseTest::Moves(_) => "Moves",
        })
    }
}
