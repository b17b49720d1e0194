//! The lengths of games, with their results.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::results::{Results, Tallied};
use crate::{query, rules::Outcome};

/// The number of moves in a range, and the last move of the last bounded range.
const BAND: u32 = 10;
const MOST: u32 = 100;

/// The lengths of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lengths {
    /// The mean number of plies; `None` without games.
    pub mean_plies: Option<f64>,
    /// The smallest number of plies that at least half of the games do not exceed; `None` without games.
    pub median_plies: Option<u32>,
    /// The plies of the longest game.
    pub most_plies: Option<u32>,
    /// Games by the number of White's moves, in ranges of ten, shortest first.
    pub bands: Vec<LengthResults>,
}

/// Games in a range of lengths.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LengthResults {
    /// The minimum number of moves.
    pub from: u32,
    /// The maximum number of moves; `None` if there is none.
    pub to: Option<u32>,
    /// The results of these games.
    #[serde(flatten)]
    pub results: Results,
}

/// Games by their plies.
#[derive(Debug, Default)]
pub(super) struct LengthTallies(HashMap<u32, query::Results, RandomState>);

impl LengthTallies {
    pub(super) fn add(&mut self, plies: u32, result: Outcome) {
        self.0.entry(plies).or_default().add(result);
    }

    pub(super) fn answer(&self) -> Lengths {
        let by_plies: BTreeMap<u32, query::Results> =
            self.0.iter().map(|(plies, of)| (*plies, *of)).collect();
        let games: u64 = by_plies.values().map(|results| results.games).sum();
        let plies: f64 =
            by_plies.iter().map(|(plies, results)| f64::from(*plies) * results.games as f64).sum();
        let mut seen = 0;
        let median = by_plies.iter().find(|(_, results)| {
            seen += results.games;
            2 * seen >= games
        });
        let mut bands: BTreeMap<u32, query::Results> = BTreeMap::new();
        for (plies, results) in &by_plies {
            // Ranges: no moves, moves 1 to 10, 11 to 20, ...
            let band = plies.div_ceil(2).div_ceil(BAND).min(MOST / BAND + 1);
            bands.entry(band).or_default().merge(results);
        }
        let band = |(band, results): (u32, query::Results)| LengthResults {
            from: if band == 0 { 0 } else { (band - 1) * BAND + 1 },
            to: (band <= MOST / BAND).then_some(band * BAND),
            results: results.answer(),
        };
        Lengths {
            mean_plies: (games > 0).then(|| plies / games as f64),
            median_plies: median.map(|(plies, _)| *plies),
            most_plies: by_plies.keys().next_back().copied(),
            bands: bands.into_iter().map(band).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_belongs_to_the_range_of_its_last_move() {
        let mut lengths = LengthTallies::default();
        for plies in [0, 1, 20, 21, 200, 201, 65_535] {
            lengths.add(plies, Outcome::Unknown);
        }
        let answer = lengths.answer();
        let bands: Vec<_> =
            answer.bands.iter().map(|band| (band.from, band.to, band.results.counts.games)).collect();
        let expected =
            [(0, Some(0), 1), (1, Some(10), 2), (11, Some(20), 1), (91, Some(100), 1), (101, None, 2)];
        assert_eq!(bands, expected);
        assert_eq!((answer.median_plies, answer.most_plies), (Some(21), Some(65_535)));
        assert_eq!(LengthTallies::default().answer(), Lengths::default());
    }
}
