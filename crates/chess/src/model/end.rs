//! How likely a game is to end in a position, and with which result. Players resign or agree to a draw more often the
//! later it is, the larger the difference in material, and the longer nothing has been captured.

use shakmaty::Color;

use super::{history::History, view::View, weights::POWERS_UP};
use crate::{bits::weighted_radix::MAX_RADIX, rules::RESULTS};

// The groups of weights, each after the one before.
const BIAS: usize = 0;
const PLY: usize = BIAS + 1;
const BALANCE: usize = PLY + 300;
const LEFT: usize = BALANCE + BALANCES * 2;
const SITUATION: usize = LEFT + 21;
const REPEATED: usize = SITUATION + BALANCES * 2 * 2 * 3 * 2;
const QUIET: usize = REPEATED + 4;
const LAST_MOVE: usize = QUIET + 26;
const CHOICE: usize = LAST_MOVE + 4;
/// The number of weights.
pub(super) const WEIGHTS: usize = CHOICE + 4;
/// The number of weights that apply to a position: one per group.
pub const FEATURES: usize = 9;

/// Classes of the material balance: from eight pawns down to eight pawns up.
const BALANCES: usize = 17;

/// The number of situations for results.
pub(super) const RESULT_CONTEXTS: usize = BALANCES * 2 * 4 * 2;
/// The features that determine whether a game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndFeatures {
    /// The weights, by index.
    pub weights: [u16; FEATURES],
    /// The situation for the result.
    pub result: u16,
}

impl EndFeatures {
    /// The features of a position with a number of legal moves.
    #[inline(always)]
    pub(super) fn new(view: &View, history: &History, moves: usize) -> EndFeatures {
        let turn = Color::from_white(view.flip == 0);
        let balance = |back| i32::from(history.balance(back)) * turn.fold_wb(1, -1);
        let class = (balance(0).clamp(-8, 8) + 8) as usize;
        // Whether the last move of each side left the balance unchanged.
        let is_quiet = usize::from(balance(0) == balance(2));
        let captured = usize::from(history.last(1, view.flip).is_some_and(|last| last.captured > 0));
        let left = (view.material() / 4).min(20);
        let repeated = history.occurrences(turn).min(3);
        let choice = match moves {
            0..2 => 0,
            2..5 => 1,
            5..20 => 2,
            _ => 3,
        };
        let (ply, check) = (history.ply(), view.in_check);
        let situation = ((((class * 2 + check) * 2 + is_quiet) * 3 + left / 7) * 2) + captured;
        let weights = [
            BIAS,
            PLY + ply.min(299),
            BALANCE + class * 2 + check,
            LEFT + left,
            SITUATION + situation,
            REPEATED + repeated,
            QUIET + (history.quiet_plies / 4).min(25),
            LAST_MOVE + check * 2 + captured,
            CHOICE + choice,
        ];
        let age = match ply {
            0..20 => 0,
            20..60 => 1,
            60..100 => 2,
            _ => 3,
        };
        let result = ((class * 2 + is_quiet) * 4 + age) * 2 + usize::from(repeated > 1);
        EndFeatures { weights: weights.map(|weight| weight as u16), result: result as u16 }
    }
}

/// The weights for the end of a game and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndWeights {
    /// What each feature adds to the binary logarithm of the odds of the end, in 1/1024.
    pub log_odds: Vec<i16>,
    /// The weights of the results in each situation; none is 0.
    pub results: Vec<[u16; RESULTS]>,
}

impl EndWeights {
    /// The weight of the end of the game, given the sum of the weights of all moves.
    #[inline(always)]
    pub(super) fn weight(&self, features: &EndFeatures, moves: u32) -> u32 {
        let log_odds = features.weights.iter().map(|&feature| i64::from(self.log_odds[usize::from(feature)]));
        let log_odds = log_odds.sum::<i64>().clamp(-LIMIT, LIMIT);
        let (power, part) = (log_odds >> 10, (log_odds & 1023) as usize);
        let whole = u64::from(moves) * u64::from(POWERS_UP[part]);
        let weight = if power < 0 { whole >> 16 >> -power } else { whole >> 16 << power };
        u32::try_from(weight).unwrap_or(u32::MAX).clamp(1, MAX_RADIX - moves)
    }
}

/// The maximum of the logarithm of the odds, in 1/1024.
const LIMIT: i64 = 20 << 10;
