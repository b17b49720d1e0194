//! The report on the games of an archive: results by rating difference and length, openings over time, endings.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::{
    endings::{EndingResults, endings},
    lengths::{LengthTallies, Lengths},
    openings::{MostPlayed, OpeningTallies, PlayedFamily, PlayedOpening, family, named},
    results::{Band, Results, ResultsById, Tallied, percent},
};
use crate::{
    archive::{Filter, GamePlies, Result},
    openings::OpeningId,
    query::{self, Context, each_length, each_opening},
    record::GameMetadata,
};

/// The width of a range of rating differences, and the outermost ranges, which include everything beyond.
const BAND: i64 = 100;
const BANDS: RangeInclusive<i64> = -5..=4;

/// The range of games with an unknown rating.
const UNRATED: i64 = i64::MAX;

/// The report on the games of an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overview {
    /// The results.
    pub results: Results,
    /// By White's rating minus Black's, lowest first; games with an unknown rating last.
    pub rating_differences: Vec<Band<Results>>,
    /// By length.
    pub lengths: Lengths,
    /// Over time: by year, or by decade if the games span more than 20 years. Games without a year come last.
    pub periods: Vec<Period>,
    /// The number of opening families.
    pub different_families: u64,
    /// The opening families with the most games.
    pub families: Vec<PlayedFamily<Results>>,
    /// The number of openings.
    pub different_openings: u64,
    /// The openings with the most games.
    pub openings: Vec<PlayedOpening<Results>>,
    /// The number of different endings.
    pub different_endings: u64,
    /// The endings of games of standard chess and Chess960 with the most games.
    pub endings: Vec<EndingResults>,
}

/// The report on the games that match a filter. `lines` is the maximum number of openings, families and endings. Games
/// whose openings are not in the index are replayed; those without a trail, to the end.
///
/// The watch receives the number of games read.
pub fn overview(context: Context<'_>, filter: &Filter, lines: usize) -> Result<Overview> {
    let tally = tally(context, filter)?;
    let (lengths, results_of) = lengths(context, filter)?;
    let (different_endings, endings) = endings(context, &results_of, lines)?;
    let length = length_of_periods(tally.openings.values().flat_map(HashMap::keys).flatten().copied());
    let (mut results, mut openings) = (query::Results::default(), OpeningTallies::default());
    let mut periods: BTreeMap<u16, PeriodTally> = BTreeMap::new();
    for (opening, years) in &tally.openings {
        for (year, of_both) in years {
            results.merge(of_both);
            openings.add(*opening, |of: &mut query::Results| of.merge(of_both));
            let from = year.map_or(UNKNOWN, |year| year / length * length);
            periods.entry(from).or_default().add(of_both, named(*opening).map(family));
        }
    }
    let MostPlayed { different_families, families, different, most_played } = openings.most_played(lines);
    let differences = tally.differences.into_iter().map(|(band, results)| difference(band, results));
    Ok(Overview {
        results: results.answer(),
        rating_differences: differences.collect(),
        lengths: lengths.answer(),
        periods: periods.into_iter().map(|(from, tally)| period(from, length, tally)).collect(),
        different_families,
        families,
        different_openings: different,
        openings: most_played,
        different_endings,
        endings,
    })
}

/// What is counted of each game.
#[derive(Default)]
struct Tally {
    /// By range number; games without both ratings have the highest.
    differences: BTreeMap<i64, query::Results>,
    /// By opening and year, if known: everything else follows from these few. Most games in a row have the same
    /// opening, so the years of one opening stay in the cache of the processor.
    openings: HashMap<Option<OpeningId>, HashMap<Option<u16>, query::Results, RandomState>, RandomState>,
}

impl Tally {
    fn add(&mut self, facts: &GameMetadata, opening: Option<OpeningId>) {
        let band = facts.white_elo.zip(facts.black_elo).map(|(white, black)| {
            let difference = i64::from(white) - i64::from(black);
            difference.div_euclid(BAND).clamp(*BANDS.start(), *BANDS.end())
        });
        self.differences.entry(band.unwrap_or(UNRATED)).or_default().add(facts.result);
        self.openings.entry(opening).or_default().entry(facts.date.year()).or_default().add(facts.result);
    }
}

/// Reads the games.
fn tally(context: Context<'_>, filter: &Filter) -> Result<Tally> {
    context.or_without_index(|context| {
        let mut tally = Tally::default();
        each_opening(context, filter, |facts, opening| tally.add(facts, opening.flatten()))?;
        Ok(tally)
    })
}

/// The lengths of games, and their results.
fn lengths(context: Context<'_>, filter: &Filter) -> Result<(LengthTallies, ResultsById)> {
    context.or_without_index(|context| {
        let (mut lengths, mut results) = (LengthTallies::default(), Vec::new());
        each_length(context, filter, &mut |GamePlies { id, plies, result }| {
            lengths.add(plies, result);
            results.push((id, result));
        })?;
        Ok((lengths, ResultsById::new(results)))
    })
}

fn difference(band: i64, results: query::Results) -> Band<Results> {
    let band = Some(band).filter(|band| *band != UNRATED);
    Band {
        from: band.filter(|band| band > BANDS.start()).map(|band| band * BAND),
        to: band.filter(|band| band < BANDS.end()).map(|band| band * BAND + BAND - 1),
        results: results.answer(),
    }
}

/// The maximum number of years that are listed individually.
const YEARS: u16 = 20;

/// The period of games of unknown year, which is the last one.
const UNKNOWN: u16 = u16::MAX;

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

/// The games of a period.
#[derive(Debug, Default)]
struct PeriodTally {
    results: query::Results,
    families: HashMap<&'static str, u64, RandomState>,
}

impl PeriodTally {
    fn add(&mut self, results: &query::Results, family: Option<&'static str>) {
        self.results.merge(results);
        let games = results.games;
        family.into_iter().for_each(|family| *self.families.entry(family).or_default() += games);
    }
}

/// Years, or decades if there are too many.
fn length_of_periods(years: impl Iterator<Item = u16> + Clone) -> u16 {
    let span = years.clone().max().zip(years.min()).map_or(0, |(last, first)| last - first);
    if span < YEARS { 1 } else { 10 }
}

fn period(from: u16, length: u16, tally: PeriodTally) -> Period {
    let games = tally.results.games;
    let mut families: Vec<_> = tally.families.into_iter().collect();
    families.sort_unstable_by_key(|(family, games)| (Reverse(*games), *family));
    let family =
        |(family, of): (&'static str, u64)| PeriodFamily { family, games: of, percent: percent(of, games) };
    let from = Some(from).filter(|from| *from != UNKNOWN);
    Period {
        from,
        to: from.map(|from| from.saturating_add(length - 1)),
        results: tally.results.answer(),
        families: families.into_iter().take(FAMILIES).map(family).collect(),
    }
}
