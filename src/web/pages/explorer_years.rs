//! How often a position occurred in each year, and White's score.

use std::collections::BTreeMap;

use super::{
    Page,
    bar::score,
    curve::{Chart, Panel, Shape, Unit},
    line::ExplorerLine,
};
use crate::{
    chess::VariantPosition,
    present::FilterText,
    query::{Results, years_of},
    web::{RequestContext, Result},
};

/// The width of the wide drawing.
const WIDTH: f64 = 504.0;

/// Years with fewer games than this in the position are drawn together with the next ones.
const LEAST: u64 = 30;

/// The games of a position by year.
pub(super) struct Years {
    /// The chart; empty if the games are of fewer than three years.
    pub(super) chart: String,
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
            context.search(|archive, index, watch| years_of(archive, index, position, &filter, watch))
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
        Ok(Some(Years { chart: chart(page, &here, &all), all }))
    }
}

/// The share of all games and White's score.
fn chart(page: &Page, here: &BTreeMap<u16, Results>, all: &BTreeMap<u16, u64>) -> String {
    let (mut shares, mut scores) = (Vec::new(), Vec::new());
    let (mut few, mut of) = (Results::default(), 0);
    for (year, results) in here {
        few.merge(results);
        of += all.get(year).copied().unwrap_or(0);
        if few.games < LEAST && here.keys().next_back() != Some(year) {
            continue;
        }
        let x = f64::from(*year);
        if of > 0 {
            shares.push((x, (100.0 * few.games as f64 / of as f64).min(100.0)));
        }
        score(few.known()).into_iter().for_each(|score| scores.push((x, score)));
        (few, of) = (Results::default(), 0);
    }
    if shares.len() < 3 {
        return String::new();
    }
    let mut lower = Panel::new(Unit::Percent, 44.0, vec![Shape::Line("second", String::new(), scores)]);
    lower.base = Some(50.0);
    let panels = vec![Panel::new(Unit::Percent, 64.0, vec![Shape::Area(shares)]), lower];
    let words = page.words;
    let title = format!("{}: {}, {}", words.by_year, words.share_of_all, words.white_score);
    Chart { language: page.language, title, panels }.svg(WIDTH)
}
