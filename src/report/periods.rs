//! Games in the course of time: how they ended, and what was played most.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use serde::Serialize;

use super::{results::Results, score::percent};
use crate::rules::Outcome;

/// Most years that are told one by one.
const YEARS: u16 = 20;

/// Families of openings that are told of each period.
const FAMILIES: usize = 3;

/// A year or a decade.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Period {
    /// Its first year; `None` for games whose year is not known.
    pub from: Option<u16>,
    /// Its last year.
    pub to: Option<u16>,
    /// How its games ended.
    #[serde(flatten)]
    pub results: Results,
    /// The three families of openings with most games.
    pub families: Vec<PeriodFamily>,
}

/// A family of openings in a period.
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

/// The years, or decades if there are too many. `u16::MAX` stands for what is not known.
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
        results: tally.results.told(),
        families: families.into_iter().take(FAMILIES).map(family).collect(),
    }
}
