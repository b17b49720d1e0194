//! Tests of complete games. Each test defines what its trail says and how a replay decides.

use std::{fmt, sync::Arc};

use super::pattern::Match;
use crate::{
    chess::{Color, Move},
    record::StoredMoves,
    trail::{Facts, TrailReader},
};

/// Tests of a complete game, all of which must pass.
#[derive(Clone, Default)]
pub struct Course {
    facts: Vec<FactsTest>,
    moves: Vec<MovesTest>,
}

/// A test of the facts of a game, and whether facts that are known before the end of a replay decide it.
#[derive(Clone)]
struct FactsTest {
    fits: Arc<dyn Fn(Facts) -> bool + Send + Sync>,
    is_decided: Arc<dyn Fn(Facts) -> bool + Send + Sync>,
}

/// What the facts and the trail of a game, if it has one, say about a test.
type IndexTest = dyn Fn(Facts, Option<TrailReader<'_>>) -> Match + Send + Sync;

/// A test of the moves of a game.
#[derive(Clone)]
struct MovesTest {
    by_index: Arc<IndexTest>,
    begin: Arc<dyn Fn() -> MovesRun + Send + Sync>,
}

/// A test of the moves of a game during its replay: receives every move, the side that played it, and whether it gives
/// check. Before the first move it receives `None`. Returns whether the moves so far have passed.
pub type MovesRun = Box<dyn FnMut(Option<(Move, Color, bool)>) -> bool>;

impl Course {
    /// Adds a test that is decided by the [facts](Facts), which are known only for standard chess and Chess960; and
    /// whether the facts at some point of a replay decide it, whatever follows.
    pub fn add_facts(
        &mut self,
        fits: impl Fn(Facts) -> bool + Send + Sync + 'static,
        is_decided: impl Fn(Facts) -> bool + Send + Sync + 'static,
    ) {
        self.facts.push(FactsTest { fits: Arc::new(fits), is_decided: Arc::new(is_decided) });
    }

    /// Adds a test that is decided by the moves: what the facts and the trail of a game say without a replay, and how a
    /// replay begins.
    pub fn add_moves(
        &mut self,
        by_index: impl Fn(Facts, Option<TrailReader<'_>>) -> Match + Send + Sync + 'static,
        begin: impl Fn() -> MovesRun + Send + Sync + 'static,
    ) {
        self.moves.push(MovesTest { by_index: Arc::new(by_index), begin: Arc::new(begin) });
    }

    /// Whether every game passes.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.moves.is_empty()
    }

    /// Whether some tests depend on facts.
    pub fn asks_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    /// Whether a game passes the tests of facts.
    pub(super) fn fits(&self, facts: Facts) -> bool {
        self.facts.iter().all(|test| (test.fits)(facts))
    }

    /// The same if the facts are not available.
    pub(super) fn has_facts(&self, game: &StoredMoves) -> bool {
        !self.asks_facts() || {
            let facts = Facts::of(game, |facts| self.is_decided(facts));
            facts.are_known() && self.fits(facts)
        }
    }

    /// Whether the facts at some point of a replay decide whether a game passes the tests of facts.
    fn is_decided(&self, facts: Facts) -> bool {
        let fails = |test: &FactsTest| (test.is_decided)(facts) && !(test.fits)(facts);
        self.facts.iter().any(fails) || self.facts.iter().all(|test| (test.is_decided)(facts))
    }

    /// What the facts and the trail of a game say about all tests.
    pub(super) fn by_index(&self, facts: Facts, trail: Option<TrailReader<'_>>) -> Match {
        let by_facts = match facts.are_known() || !self.asks_facts() {
            true if self.fits(facts) => Match::Yes,
            true => Match::No,
            false => Match::Maybe,
        };
        self.moves.iter().map(|test| (test.by_index)(facts, trail)).fold(by_facts, Match::min)
    }

    /// Begins a replay for the tests of moves.
    pub(super) fn begin(&self) -> CourseRun {
        let mut run = CourseRun(self.moves.iter().map(|test| ((test.begin)(), false)).collect());
        run.to(None);
        run
    }
}

impl fmt::Debug for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Course").finish_non_exhaustive()
    }
}

/// The tests of moves during the replay of a game, and whether the moves so far have passed each.
pub(super) struct CourseRun(Vec<(MovesRun, bool)>);

impl CourseRun {
    pub(super) fn to(&mut self, played: Option<(Move, Color, bool)>) {
        self.0.iter_mut().for_each(|(test, is_done)| *is_done = test(played));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_done(&self) -> bool {
        self.0.iter().all(|(_, is_done)| *is_done)
    }
}
