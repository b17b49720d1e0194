//! How often a position occurred in each year, and White's score.

use std::collections::BTreeMap;

use super::{
    Failure, Page, RequestContext, Result,
    bar::score,
    curve::{Chart, Panel, Shape, Unit},
    explorer_moves::of_player,
    line::ExplorerLine,
};
use crate::{
    chess::VariantPosition,
    present::FilterText,
    query::{Results, years_of},
};

/// The width of the wide drawing.
const WIDTH: f64 = 504.0;

/// Years with fewer games than this in the position are drawn together with the next ones.
const LEAST: u64 = 30;

/// The games of a position by year.
pub(super) struct Years {
    /// The chart; empty if the games are of fewer than three years.
    pub(super) chart: String,
    /// What its two panels show, in words.
    pub(super) measures: [&'static str; 2],
    /// The games by year that match the filter, whatever it says of dates and the position.
    pub(super) all: BTreeMap<u16, u64>,
}

impl Years {
    /// The games that match a filter and reach the end of a line; `None` without an index, since all would be replayed.
    pub(super) fn new(
        context: &RequestContext<'_>,
        page: &Page,
        line: &ExplorerLine,
        filter: &FilterText,
    ) -> Result<Option<Years>> {
        if context.index.if_any().is_none() {
            return Ok(None);
        }
        let years = |position: &VariantPosition, filter: &FilterText| {
            let filter = context.filter(&filter.without_position())?;
            Ok::<_, Failure>(years_of(context.query, position, &filter)?)
        };
        let mut of_any_date = filter.without_position();
        of_any_date.clear("date");
        let all = match of_any_date.is_every_game() {
            true => (*context.years()?).clone(),
            false => {
                let all = years(&line.variant.start(), &of_any_date)?;
                all.into_iter().map(|(year, results)| (year, results.games)).collect()
            }
        };
        let here = years(line.position(), filter)?;
        let as_white = match (filter.has("player"), filter.get("colour")) {
            (true, None) => {
                let mut as_white = filter.clone();
                as_white.set("colour", "white")?;
                years(line.position(), &as_white)?
            }
            (true, Some("black")) => BTreeMap::new(),
            _ => here.clone(),
        };
        let are_all = here.iter().all(|(year, results)| all.get(year) == Some(&results.games));
        let chart = YearChart { here, as_white, all: &all, are_all }.svg(page);
        let words = page.words;
        let measures = [
            if are_all { words.games } else { words.share_of_all },
            if filter.has("player") { words.score } else { words.white_score },
        ];
        Ok(Some(Years { chart: chart.unwrap_or_default(), measures, all }))
    }

    /// The first year of the histogram.
    pub(super) fn first(&self) -> Option<u16> {
        first_year(self.all.iter().map(|(year, games)| (*year, *games)))
    }
}

/// The year by which a fiftieth of the games were played: a few very old ones would leave no room for the others.
fn first_year(years: impl Iterator<Item = (u16, u64)> + Clone) -> Option<u16> {
    let few = years.clone().map(|(_, games)| games).sum::<u64>() / 50;
    let mut sum = 0;
    let mut years = years.map(|(year, games)| {
        sum += games;
        (year, sum)
    });
    years.find(|(_, sum)| *sum > few).map(|(year, _)| year)
}

/// What the chart is drawn from.
struct YearChart<'a> {
    here: BTreeMap<u16, Results>,
    /// Those whose White is the player whose score is shown; others have it as Black.
    as_white: BTreeMap<u16, Results>,
    all: &'a BTreeMap<u16, u64>,
    /// Whether all games reach the position: then their number says more than their share.
    are_all: bool,
}

impl YearChart<'_> {
    /// Won, drawn and lost in a year.
    fn results(&self, year: u16, here: &Results) -> [u64; 3] {
        let white = self.as_white.get(&year).map_or([0; 3], Results::known);
        of_player(here.known(), white)
    }

    /// The share or the number of games and the score; `None` with fewer than three years.
    fn svg(&self, page: &Page) -> Option<String> {
        let (mut games, mut scores) = (Vec::new(), Vec::new());
        let (mut few, mut of, mut results) = (0, 0, [0; 3]);
        let last = self.here.keys().next_back()?;
        let first = first_year(self.here.iter().map(|(year, here)| (*year, here.games)))?;
        for (year, here) in self.here.range(first..) {
            let x = f64::from(*year);
            if self.are_all {
                games.push((x, here.games as f64));
            }
            few += here.games;
            of += self.all.get(year).copied().unwrap_or(0);
            results.iter_mut().zip(self.results(*year, here)).for_each(|(sum, part)| *sum += part);
            if few < LEAST && year != last {
                continue;
            }
            if of > 0 && !self.are_all {
                games.push((x, (100.0 * few as f64 / of as f64).min(100.0)));
            }
            score(results).into_iter().for_each(|score| scores.push((x, score)));
            (few, of, results) = (0, 0, [0; 3]);
        }
        if games.len() < 3 {
            return None;
        }
        let unit = if self.are_all { Unit::Games } else { Unit::Percent };
        let lower = Shape::Line("second", String::new(), scores);
        let panels = vec![
            Panel::new(unit, 64.0, vec![Shape::Area(games)]),
            Panel { base: Some(50.0), ..Panel::new(Unit::Percent, 60.0, vec![lower]) },
        ];
        let (language, title) = (page.language, page.words.by_year.to_owned());
        Some(Chart { language, title, panels }.svg(WIDTH))
    }
}
