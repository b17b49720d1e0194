//! What games do as a whole. Each test is a condition's own: it says what the index tells of it, and what a replay does.

use std::{fmt, sync::Arc};

use super::pattern::Match;
use crate::{
    chess::{Color, Move},
    record::StoredMoves,
    trail::{Facts, TrailReader},
};

/// Tests of a game as a whole, all of which it must pass.
#[derive(Clone, Debug, Default)]
pub struct Course(Vec<CourseTest>);

/// A test of a game as a whole.
#[derive(Clone)]
pub enum CourseTest {
    /// The [facts](Facts) decide, which are known of standard chess and Chess960 alone.
    Facts(Arc<dyn Fn(Facts) -> bool + Send + Sync>),
    /// The moves decide.
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
    /// Takes the next move, and whether it gives check.
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

    /// Whether facts decide a part of it.
    pub fn asks_facts(&self) -> bool {
        self.0.iter().any(|test| matches!(test, CourseTest::Facts(_)))
    }

    /// Whether a game passes the tests by facts.
    pub(super) fn fits(&self, facts: Facts) -> bool {
        self.0.iter().all(|test| match test {
            CourseTest::Facts(test) => test(facts),
            CourseTest::Moves(_) => true,
        })
    }

    /// The same where the facts are not at hand.
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

    /// What a trail says of the tests by moves.
    pub(super) fn by_trail(&self, trail: TrailReader<'_>) -> Match {
        self.moves().map(|test| test.by_trail(trail)).min().unwrap_or(Match::Yes)
    }

    /// Begins a replay for the tests by moves.
    pub(super) fn begin(&self) -> CourseRun {
        CourseRun(self.moves().map(MovesTest::begin).collect())
    }
}

/// The tests by moves during the replay of a game.
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
