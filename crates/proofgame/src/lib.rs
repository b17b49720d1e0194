//! The shortest legal game from the initial position to a given one (a shortest proof game).
//!
//! ```text
//! target         the position to reach, read from FEN    possible       simple proofs that no game exists
//! moves          sets of pieces among obstacles          distance       how far a piece gets in N moves
//! target_square  how far a place is from everywhere      assign         the cheapest piece for every place
//! side_bounds    what one side can still do              bounds         … collected piece by piece
//! side_state     a side in the search, with its bounds   transposition  the tables, of fixed size
//! search         the games of one length                 keys           the keys of the tables
//! ```
//!
//! # The search, and why the result is the shortest game
//! Lengths are tried one after another, starting with the shortest, each by a complete search of all games with
//! exactly that many plies. The number of remaining moves of each side is therefore known at every position. A branch
//! is pruned only for one of these reasons, each of which is valid in every game:
//!
//! * **Captures.** Each side has to lose exactly its surplus pieces. Its opponent makes exactly that many captures.
//! * **Moves.** Every place of the target needs its own piece (promoted or not), and the remaining pieces are at best
//!   captured where they are. The cheapest assignment of pieces to places, with distances on an otherwise empty board,
//!   must not need more moves than are left. Castling is tried in addition.
//! * **Captures by pawns.** A pawn changes files only by capturing; that many captures must be left.
//! * **Where captures happen.** A capture takes place on a square that a piece of one side can reach by a detour and
//!   where a piece of the other side can be lost. The assignment shows how many moves everything else needs, and so
//!   how many are left for the detour. If the two sets of squares are disjoint, there can be no capture.
//! * **Obstacles.** A piece that has no move to spare and cannot be lost stays in place to the end. It blocks every
//!   other piece, and the squares it guards are closed to the other king. Distances are then recomputed.
//! * **Failures.** The same position with the same number of plies left has already been searched without success.
//!
//! Positions are compared by 64-bit keys, see `keys.rs`.

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

/// The limits of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Minimum number of plies of the game; 0 unless a game of an exact length is requested.
    pub min_plies: usize,
    /// Maximum number of plies of the game, at most [`MAX_PATH_PLIES`].
    pub max_plies: usize,
    /// The time after which the search stops; `None` for no limit.
    pub timeout: Option<Duration>,
    /// Size of the tables in bytes. With less memory the search is slower, but its result is the same.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { min_plies: 0, max_plies: MAX_PATH_PLIES, timeout: None, memory: PATH_MEMORY }
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The length of the games currently being searched, in plies. There is no shorter game.
    pub plies: usize,
    /// Positions searched so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A game reaches the target.
    Found {
        /// The moves from the initial position.
        moves: Vec<Move>,
        /// Whether it is proved that no shorter game exists: always, unless [`Limits::min_plies`] excluded lengths
        /// that were not obviously impossible.
        proved: bool,
    },
    /// No game was found.
    NotFound {
        /// There is no game with at least [`Limits::min_plies`] and fewer plies than this.
        searched_to: usize,
        /// Why the search stopped.
        reason: Reason,
    },
}

/// Why a search found no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// All games up to the maximum length were searched.
    MaxPlies,
    /// No number of moves is enough: there is no game of any length.
    Unreachable,
}

/// Searches for the shortest game that reaches a target, in order of length.
///
/// `progress` is called before each length and several hundred times per second. The same target and limits always
/// give the same result, except for the time limit; the choice between several shortest games is arbitrary.
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
