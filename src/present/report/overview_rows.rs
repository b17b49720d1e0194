//! The report on the games of an archive as one list, for programs that read tables.

use serde::Serialize;

use super::{
    super::list::Row,
    overview::{difference_name, length_name, period_name},
    section::known,
};
use crate::{
    columns::{Cell, ColumnOf, number, text},
    report::{Overview, Results},
};

/// A row of the report on the games of an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverviewRow {
    /// The table: `all`, `rating_difference`, `moves`, `years`, `family`, `opening`, `ending`.
    pub table: &'static str,
    /// The item in the table: a range, a period, the name of an opening or its family, the pieces of an ending; empty
    /// for all games, for games without a named position, and for those that ended with more pieces.
    pub of: String,
    /// The code of the opening.
    pub eco: Option<&'static str>,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

impl Row for OverviewRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("table", |row| row.table.into()),
        text("of", |row| row.of.as_str().into()),
        text("eco", |row| row.eco.into()),
        number("games", |row| row.results.counts.games.into()),
        number("white", |row| row.results.counts.white.into()),
        number("draws", |row| row.results.counts.draws.into()),
        number("black", |row| row.results.counts.black.into()),
        number("other", |row| row.results.counts.other.into()),
        number("percent", |row| row.results.percent.map(|percent| Cell::rounded(percent, 2)).into()),
        number("drawn_percent", |row| {
            row.results.drawn_percent.map(|percent| Cell::rounded(percent, 2)).into()
        }),
    ];
    const ONE_LINE: bool = true;
}

/// All rows of a report, table by table.
pub fn overview_rows(answer: &Overview) -> Vec<OverviewRow> {
    let row = |table, of, results| OverviewRow { table, of, eco: None, results };
    let mut rows = vec![row("all", String::new(), answer.results)];
    let differences = answer.rating_differences.iter();
    rows.extend(differences.map(|of| row("rating_difference", difference_name(of), of.results)));
    rows.extend(answer.lengths.bands.iter().map(|of| row("moves", length_name(of), of.results)));
    rows.extend(answer.periods.iter().map(|of| row("years", period_name(of), of.results)));
    rows.extend(answer.families.iter().map(|of| row("family", known(of.family), of.results)));
    rows.extend(answer.openings.iter().map(|of| OverviewRow {
        table: "opening",
        of: known(of.opening),
        eco: of.eco,
        results: of.results,
    }));
    rows.extend(answer.endings.iter().map(|of| row("ending", known(of.ending.as_deref()), of.results)));
    rows
}
