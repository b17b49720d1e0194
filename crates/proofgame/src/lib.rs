//! The shortest legal game from the initial position to a given one (a shortest proof game).
//!
//! ```text
//! target         the position to reach, read from FEN    possible       what no game reaches, seen at a glance
//! moves          sets of men among obstacles             distance       how far a man gets in so many moves
//! target_square  how far a place is from everywhere      assign         the cheapest man for every place
//! side_bounds    what one side can still do              bounds         … gathered man by man
//! side_state     a side in the search, its bounds kept   transposition  the tables, of fixed size
//! search         the games of one length                 keys           what the tables are keyed by
//! ```
//!
//! # How it is searched, and why the answer is the shortest game
//! Lengths are tried one after the other, from the shortest, each by a complete search of all games of just
//! that many plies. So White's moves and Black's moves are known in number at every position, and what is
//! left of them. A branch is cut off only for one of these reasons, each of which holds in every game:
//!
//! * **Captures.** The men a side has to lose are those it has too many. Its opponent makes just as many
//!   captures, and no others.
//! * **Moves.** Every place of the target needs a man of its own (promoted or not), the men left over are
//!   captured where they stand at best. The cheapest assignment of men to places, each at its distance on a
//!   board without anybody in the way, needs at most the moves that are left. Castling is tried besides.
//! * **Captures by pawns.** A pawn changes its file by capturing only; so many captures there must be left.
//! * **Where captures happen.** A capture takes place where a man of one side can make a detour to and a man
//!   of the other can get to be lost. What everything else needs at least is known from the assignment, and
//!   so is what is left for the detour. If the two sets of squares are disjoint, there is no capture.
//! * **Obstacles.** A man that has no move to spare and that cannot be lost stays where it is to the end. It
//!   is in everybody's way, and what it guards is closed to the other king. Distances are measured anew.
//! * **FailureTable.** The same position with as many plies left has been searched before without success.
//!
//! Positions are compared by keys of 64 bits, see `keys.rs`.

mod assign;
mod bounds;
mod change;
mod distance;
mod keys;
mod moves;
mod possible;
mod search;
mod side_bounds;
mod side_state;
mod target;
mod target_square;
mod transposition;

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use shakmaty::Move;

use plybook_chess::limits::{MAX_PATH_PLIES, PATH_MEMORY};
pub use possible::Impossible;
use search::{Search, Timeout};
pub use target::{Target, TargetError};

/// How far a search may go and how much it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the shortest game that is looked for: 0, unless a game of some exact length is wanted.
    pub min_plies: usize,
    /// Plies of the longest game that is looked for; more than [`MAX_PATH_PLIES`] are not.
    pub max_plies: usize,
    /// The time after which the search stops; `None` for no limit.
    pub timeout: Option<Duration>,
    /// Bytes of the tables. With less memory the search is slower, and its answer the same.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { min_plies: 0, max_plies: MAX_PATH_PLIES, timeout: None, memory: PATH_MEMORY }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The plies of the games that are being searched. There is none of fewer plies.
    pub plies: usize,
    /// Positions searched so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What a search has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A game reaches the target.
    Found {
        /// Its moves from the initial position.
        moves: Vec<Move>,
        /// Whether it is proved that no shorter game exists: always, unless [`Limits::min_plies`] left out
        /// lengths that are not impossible at first sight.
        proved: bool,
    },
    /// No game was found.
    NotFound {
        /// No game of at least [`Limits::min_plies`] and of fewer plies than this exists.
        searched_to: usize,
        /// Why the search went no further.
        reason: Reason,
    },
}

/// Why a search has found no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time was up.
    Timeout,
    /// All games up to the longest allowed were searched.
    MaxPlies,
    /// No number of moves is enough: there is no game of any length.
    Unreachable,
}

/// Searches for the shortest game that reaches a target, from the shortest length on.
///
/// `progress` is called before each length and some hundred times a second. The same target and limits give
/// the same answer every time, the time limit aside; between several shortest games the choice is arbitrary.
///
/// ```
/// use plybook_proofgame::{Limits, Outcome, search};
///
/// let target = "rnbqkbn1/ppppppp1/8/8/6p1/4P2r/PPPP1PPP/RNBK1BNR w".parse()?;
/// let Outcome::Found { moves, proved } = search(&target, &Limits::default(), &mut |_| {}) else { panic!() };
/// assert_eq!(moves.len(), 6); // 1. e3 h5 2. Qg4 hxg4 3. Kd1 Rh3
/// assert!(proved);
/// # Ok::<(), plybook_proofgame::TargetError>(())
/// ```
pub fn search(target: &Target, limits: &Limits, progress: &mut dyn FnMut(Progress)) -> Outcome {
    let start = Instant::now();
    let plies = Cell::new(limits.min_plies);
    let mut on_pause = |nodes| progress(Progress { plies: plies.get(), nodes, elapsed: start.elapsed() });
    let deadline = limits.timeout.and_then(|timeout| start.checked_add(timeout));
    let mut one_length = Search::new(target, limits.memory, deadline, &mut on_pause);
    let max_plies = limits.max_plies.min(MAX_PATH_PLIES);
    let end = (max_plies + 1).max(limits.min_plies);
    if !one_length.is_possible() {
        return Outcome::NotFound { searched_to: end, reason: Reason::Unreachable };
    }
    for length in limits.min_plies..end {
        plies.set(length);
        match one_length.run(length) {
            Ok(Some(moves)) => {
                let proved = !(0..limits.min_plies).any(|shorter| one_length.is_open(shorter));
                return Outcome::Found { moves, proved };
            }
            Ok(None) => {}
            Err(Timeout) => return Outcome::NotFound { searched_to: length, reason: Reason::Timeout },
        }
    }
    Outcome::NotFound { searched_to: end, reason: Reason::MaxPlies }
}
