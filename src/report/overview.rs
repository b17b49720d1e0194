//! The report on the games of an archive: results by rating difference and length, openings over time, endings.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    ops::{ControlFlow, RangeInclusive},
};

use foldhash::fast::RandomState;
use serde::Serialize;

use super::{
    endings::{EndingResults, endings},
    lengths::{LengthTallies, Lengths},
    openings::{family, named},
    results::{Results, ResultsById, percent, ranked},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, GamePlies},
    openings::OpeningId,
    query::{self, PositionIndex, each_opening},
    record::{GameId, GameMetadata},
    rules::Outcome,
};

/// The width of a range of rating differences, and the outermost ranges, which include everything beyond.
const BAND: i64 = 100;
const BANDS: RangeInclusive<i64> = -5..=4;

/// The range of games with an unknown rating.
const UNRATED: i64 = i64::MAX;

/// Games read between two calls of a watch.
const GAMES: usize = 1 << 12;

/// The report on the games of an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overview {
    /// The results.
    pub results: Results,
    /// By White's rating minus Black's, lowest first; games with an unknown rating last.
    pub rating_differences: Vec<DifferenceResults>,
    /// By length.
    pub lengths: Lengths,
    /// Over time: by year, or by decade if the games span more than 20 years. Games without a year come last.
    pub periods: Vec<Period>,
    /// The number of opening families.
    pub different_families: u64,
    /// The opening families with the most games.
    pub families: Vec<FamilyResults>,
    /// The number of openings.
    pub different_openings: u64,
    /// The openings with the most games.
    pub openings: Vec<OpeningResults>,
    /// The number of different endings.
    pub different_endings: u64,
    /// The endings of games of standard chess and Chess960 with the most games.
    pub endings: Vec<EndingResults>,
}

/// Games in a range of rating differences.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceResults {
    /// The minimum of White's rating minus Black's; `None` if there is none.
    pub from: Option<i64>,
    /// The maximum; `None` if there is none. Both are `None` if a rating is unknown.
    pub to: Option<i64>,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

/// All openings whose names are the same up to the colon.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyResults {
    /// The name; `None` for games without a named position.
    pub family: Option<&'static str>,
    /// The results of these games.
    #[serde(flatten)]
    pub results: Results,
}

/// An opening, by the last named position of each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningResults {
    /// The ECO code; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
}

/// The report on the games that match a filter. `lines` is the maximum number of openings, families and endings. Games
/// whose openings are not in the index are replayed; those without a trail, to the end.
///
/// `watch` receives the number of games read, and may cancel; then the result is `None`.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn overview(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    lines: usize,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Overview>, ArchiveError> {
    let Some(tally) = tally(archive, index, filter, &mut watch)? else { return Ok(None) };
    let results_of = ResultsById::new(tally.results_of);
    let Some(lengths) = lengths(archive, filter, &results_of, &mut watch)? else { return Ok(None) };
    let Some((different_endings, endings)) = endings(archive, index, &results_of, lines, watch)? else {
        return Ok(None);
    };
    let mut sums = Sums::default();
    tally.openings.iter().for_each(|((year, opening), results)| sums.add(*year, *opening, results));
    let Sums { results, years, openings, families } = sums;
    let openings = ranked(openings);
    let families = ranked(families);
    Ok(Some(Overview {
        results: results.answer(),
        rating_differences: tally.differences.into_iter().map(difference).collect(),
        lengths: lengths.answer(),
        periods: periods(years),
        different_families: families.len() as u64,
        families: families
            .into_iter()
            .take(lines)
            .map(|(family, results)| FamilyResults { family, results: results.answer() })
            .collect(),
        different_openings: openings.len() as u64,
        openings: openings.into_iter().take(lines).map(opening).collect(),
        different_endings,
        endings,
    }))
}

/// What is counted of each game.
#[derive(Default)]
struct Tally {
    /// By range number; games without both ratings have the highest.
    differences: BTreeMap<i64, Results>,
    /// By year, if known, and opening: everything else follows from these few.
    openings: HashMap<(Option<u16>, Option<OpeningId>), query::Results, RandomState>,
    results_of: Vec<(GameId, Outcome)>,
}

impl Tally {
    fn add(&mut self, facts: &GameMetadata, opening: Option<OpeningId>) {
        let band = facts.white_elo.zip(facts.black_elo).map(|(white, black)| {
            let difference = i64::from(white) - i64::from(black);
            difference.div_euclid(BAND).clamp(*BANDS.start(), *BANDS.end())
        });
        self.differences.entry(band.unwrap_or(UNRATED)).or_default().add(facts.result);
        self.openings.entry((facts.year(), opening)).or_default().add(facts.result);
        self.results_of.push((facts.id, facts.result));
    }
}

/// Reads the games; `None` if the watch cancels.
fn tally(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    watch: &mut impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Tally>, ArchiveError> {
    PositionIndex::or_without(index, |index| {
        let mut tally = Tally::default();
        let add = |facts: &GameMetadata, opening: Option<_>| tally.add(facts, opening.flatten());
        let is_whole = each_opening(archive, index, filter, &mut *watch, add)?;
        Ok(is_whole.then_some(tally))
    })
}

/// The lengths of games; `None` if the watch cancels.
fn lengths(
    archive: &Archive,
    filter: &Filter,
    results_of: &ResultsById,
    watch: &mut impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<LengthTallies>, ArchiveError> {
    let (mut lengths, mut result_of) = (LengthTallies::default(), results_of.finder());
    for (read, game) in archive.list::<GamePlies>(filter).enumerate() {
        let GamePlies { id, plies } = game?;
        result_of(id).into_iter().for_each(|result| lengths.add(plies, result));
        if read.is_multiple_of(GAMES) && watch(0).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(lengths))
}

/// The sums over years and openings.
#[derive(Default)]
struct Sums {
    results: Results,
    /// Unknown years last.
    years: BTreeMap<u16, YearTally>,
    openings: HashMap<Option<OpeningId>, Results, RandomState>,
    families: HashMap<Option<&'static str>, Results, RandomState>,
}

impl Sums {
    fn add(&mut self, year: Option<u16>, opening: Option<OpeningId>, results: &query::Results) {
        let family = named(opening).map(family);
        self.results.merge(results);
        self.years.entry(year.unwrap_or(u16::MAX)).or_default().add(results, family);
        self.openings.entry(opening).or_default().merge(results);
        self.families.entry(family).or_default().merge(results);
    }
}

fn difference((band, results): (i64, Results)) -> DifferenceResults {
    let band = Some(band).filter(|band| *band != UNRATED);
    DifferenceResults {
        from: band.filter(|band| band > BANDS.start()).map(|band| band * BAND),
        to: band.filter(|band| band < BANDS.end()).map(|band| band * BAND + BAND - 1),
        results: results.answer(),
    }
}

fn opening((id, results): (Option<OpeningId>, Results)) -> OpeningResults {
    let opening = named(id);
    OpeningResults {
        eco: opening.map(|opening| opening.eco),
        opening: opening.map(|opening| opening.name),
        results: results.answer(),
    }
}

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
struct YearTally {
    results: Results,
    families: HashMap<&'static str, u64, RandomState>,
}

impl YearTally {
    fn add(&mut self, results: &query::Results, family: Option<&'static str>) {
        self.results.merge(results);
        let games = results.games;
        family.into_iter().for_each(|family| *self.families.entry(family).or_default() += games);
    }

    fn merge(&mut self, more: &YearTally) {
        self.results.merge(&more.results.counts);
        for (family, games) in &more.families {
            *self.families.entry(family).or_default() += games;
        }
    }
}

/// The years, or decades if there are too many. `u16::MAX` stands for an unknown year.
fn periods(years: BTreeMap<u16, YearTally>) -> Vec<Period> {
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
