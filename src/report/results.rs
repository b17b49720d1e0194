//! Results of games from White's point of view.

use std::{cmp::Reverse, collections::HashMap};

use serde::Serialize;

use super::score::percent;
use crate::{query, rules::Outcome};

/// The results of some games, with percentages of those that have a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Results {
    /// The games. Those without a result do not count in percentages.
    #[serde(flatten)]
    pub counts: query::Results,
    /// White's points (half a point for a draw) in percent of the games with a result; `None` if there are none.
    pub percent: Option<f64>,
    /// Draws in percent of the games with a result.
    pub drawn_percent: Option<f64>,
}

impl Results {
    /// Adds a game; [`told`](Self::told) computes the percentages.
    pub(super) fn add(&mut self, result: Outcome) {
        self.counts.add(result);
    }

    /// Adds other games.
    pub(super) fn merge(&mut self, more: &Results) {
        self.counts.merge(&more.counts);
    }

    /// The same with percentages.
    pub(super) fn answer(self) -> Results {
        let query::Results { white, draws, black, .. } = self.counts;
        let ended = white + draws + black;
        Results {
            percent: percent(2 * white + draws, 2 * ended),
            drawn_percent: percent(draws, ended),
            ..self
        }
    }
}

/// Most games first; of equal ones in the order of keys, and the empty key last.
pub(super) fn ranked<K: Ord>(all: HashMap<Option<K>, Results>) -> Vec<(Option<K>, Results)> {
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable_by(|(a, one), (b, other)| {
        (Reverse(one.counts.games), a.is_none(), a).cmp(&(Reverse(other.counts.games), b.is_none(), b))
    });
    all
}
