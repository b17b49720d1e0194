//! The report on the games of an archive as one list, for programs that read tables.

use serde::Serialize;

use super::{
    super::list::{ListHead, Row, number, text},
    overview::{difference_name, length_name, period_name},
    section::known,
};
use crate::report::{Overview, Results};

/// A line of the report on the games of an archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverviewRow {
    /// Which of its tables: `all`, `rating_difference`, `moves`, `years`, `family`, `opening`, `ending`.
    pub table: &'static str,
    /// What of it: a band, a period, the name of an opening or its family, the pieces of an ending; empty for all games, for
    /// games without a named position, and for those that ended with more pieces.
    pub of: String,
    /// The code of the opening.
    pub eco: Option<&'static str>,
    /// How they ended.
    #[serde(flatten)]
    pub results: Results,
}

impl Row for OverviewRow {
    const HEAD: ListHead = ListHead {
        one_line: true,
        ..ListHead::new(&[
            text("table"),
            text("of"),
            text("eco"),
            number("games"),
            number("white"),
            number("draws"),
            number("black"),
            number("other"),
            number("percent"),
            number("drawn_percent"),
        ])
    };

    fn cells(&self) -> Vec<String> {
        let Results { counts, percent, drawn_percent } = self.results;
        let mut cells = vec![self.table.to_owned(), self.of.clone(), known(self.eco)];
        cells.extend(counts.all().map(|games| games.to_string()));
        cells.extend(
            [percent, drawn_percent].map(|percent| known(percent.map(|percent| format!("{percent:.2}")))),
        );
        cells
    }
}

/// Every line of a report, table after table.
pub fn overview_rows(told: &Overview) -> Vec<OverviewRow> {
    let row = |table, of, results| OverviewRow { table, of, eco: None, results };
    let mut rows = vec![row("all", String::new(), told.results)];
    let differences = told.rating_differences.iter();
    rows.extend(differences.map(|of| row("rating_difference", difference_name(of), of.results)));
    rows.extend(told.lengths.bands.iter().map(|of| row("moves", length_name(of), of.results)));
    rows.extend(told.periods.iter().map(|of| row("years", period_name(of), of.results)));
    rows.extend(told.families.iter().map(|of| row("family", known(of.family), of.results)));
    rows.extend(told.openings.iter().map(|of| OverviewRow {
        table: "opening",
        of: known(of.opening),
        eco: of.eco,
        results: of.results,
    }));
    rows.extend(told.endings.iter().map(|of| row("ending", known(of.ending.as_deref()), of.results)));
    rows
}
