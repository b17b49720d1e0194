//! The shortest legal game from the initial position to a given one (a shortest proof game).

mod assign;
mod bounds;
mod goal;
mod keys;
mod memory;
mod possible;
mod reach;
mod side;
mod steps;
mod target;
mod walk;

use std::time::{Duration, Instant};

use shakmaty::Move;

pub use possible::Impossible;
pub use target::{Target, TargetError};

/// How much a search may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the longest game that is looked for.
    pub max_plies: usize,
    /// The time after which the search stops; `None` for no limit.
    pub timeout: Option<Duration>,
    /// Bytes of the search's tables.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_plies: 400, timeout: None, memory: 256 << 20 }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// No game of fewer plies exists; games of this length are being searched.
    pub plies: usize,
    /// Positions searched so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A game.
    Found {
        /// Its moves from the initial position.
        moves: Vec<Move>,
        /// No shorter game exists.
        proved: bool,
    },
    /// No game.
    NotFound {
        /// No game of fewer plies exists.
        searched_to: usize,
        /// Why the search went no further.
        reason: Reason,
    },
}

/// Why a search has found no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The time was up.
    Timeout,
    /// All games up to the longest allowed were searched.
    MaxPlies,
    /// No number of moves is enough: there is no game of any length.
    Unreachable,
}

/// Searches.
pub fn search(target: &Target, limits: &Limits, progress: &mut dyn FnMut(Progress)) -> Outcome {
    let start = Instant::now();
    let plies = std::cell::Cell::new(0);
    let mut on_pause = |nodes| progress(Progress { plies: plies.get(), nodes, elapsed: start.elapsed() });
    let deadline = limits.timeout.and_then(|timeout| start.checked_add(timeout));
    let mut walk = walk::Walk::new(target, limits.memory, deadline, &mut on_pause);
    if !walk.is_possible() {
        return Outcome::NotFound { searched_to: limits.max_plies + 1, reason: Reason::Unreachable };
    }
    for n in 0..=limits.max_plies {
        plies.set(n);
        if std::env::var("DBG").is_ok() {
            eprintln!("n {n} nodes {} evals {} {:?}", walk.nodes, walk.evals, start.elapsed());
        }
        match walk.run(n) {
            Ok(Some(moves)) => return Outcome::Found { moves, proved: true },
            Ok(None) => {}
            Err(walk::Timeout) => return Outcome::NotFound { searched_to: n, reason: Reason::Timeout },
        }
    }
    Outcome::NotFound { searched_to: limits.max_plies + 1, reason: Reason::MaxPlies }
}
