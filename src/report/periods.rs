//! Games over time: their results, and the most played openings.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use serde::Serialize;

use super::{results::Results, results::percent};
use crate::rules::Outcome;

/// The maximum number of years that are listed individually.
const YEARS: u16 = 20;

/// The number of opening families per period.
const FAMILIES: usize = 3;

/// A year or a decade.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Period {
    /// The first year; `None` for games of unknown year.
    pub from: Option<u16>,
    /// The last year.
    pub to: Option<u16>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The three opening families with the most games.
    pub families: Vec<PeriodFamily>,
}

/// An opening family in a period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeriodFamily {
    /// Its name.
    pub family: &'static str,
    /// Its games.
    pub games: u64,
    /// Their share of the games of the period, in percent.
    pub percent: Option<f64>,
}

/// The games of a year.
#[derive(Debug, Default)]
pub(super) struct YearTally {
    results: Results,
    families: HashMap<&'static str, u64>,
}

impl YearTally {
    pub(super) fn add(&mut self, result: Outcome, family: Option<&'static str>) {
        self.results.add(result);
        family.into_iter().for_each(|family| *self.families.entry(family).or_default() += 1);
    }

    fn merge(&mut self, more: &YearTally) {
        self.results.merge(&more.results);
        for (family, games) in &more.families {
            *self.families.entry(family).or_default() += games;
        }
    }
}

/// The years, or decades if there are too many. `u16::MAX` stands for an unknown year.
pub(super) fn periods(years: BTreeMap<u16, YearTally>) -> Vec<Period> {
    let known = || years.keys().filter(|year| **year != u16::MAX);
    let span = known().next_back().zip(known().next()).map_or(0, |(last, first)| last - first);
    let length = if span < YEARS { 1 } else { 10 };
    let mut periods: BTreeMap<u16, YearTally> = BTreeMap::new();
    for (year, tally) in &years {
        let from = if *year == u16::MAX { *year } else { year / length * length };
        periods.entry(from).or_default().merge(tally);
    }
    periods.into_iter().map(|(from, tally)| period(from, length, tally)).collect()
}

fn period(from: u16, length: u16, tally: YearTally) -> Period {
    let games = tally.results.counts.games;
    let mut families: Vec<_> = tally.families.into_iter().collect();
    families.sort_unstable_by_key(|(family, games)| (Reverse(*games), *family));
    let family =
        |(family, of): (&'static str, u64)| PeriodFamily { family, games: of, percent: percent(of, games) };
    let from = Some(from).filter(|from| *from != u16::MAX);
    Period {
        from,
        to: from.map(|from| from.saturating_add(length - 1)),
        results: tally.results.answer(),
        families: families.into_iter().take(FAMILIES).map(family).collect(),
    }
}
