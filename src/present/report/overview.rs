//! The report on the games of an archive as text, and as one list for programs that read tables.

use std::io::{self, Write};

use super::{ReportRow, tenths};
use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::{GAMES, PLIES, thousands},
    present::{
        Answer,
        answer::known,
        bar::bar,
        chart::{Bar, StackedChart},
        list::{self, ListFormat, ListOptions, Row, TextStyle},
    },
    report::{Band, LengthResults, Overview, Period, PlayedOpening, Results},
};

/// The width of a bar.
const BAR: usize = 16;

/// The label of games without a named opening, and of those without a date.
pub(super) const NAMELESS: &str = "no named position";
pub(super) const UNKNOWN: &str = "unknown";

/// The headings of results.
const RESULTS: [&str; 6] = ["games", "1-0", "1/2", "0-1", "score", "drawn"];

/// Tables of games: the numbers won by White, drawn and won by Black, White's score and the draws in percent.
impl Answer for Overview {
    fn count(&self) -> u64 {
        self.results.counts.games
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        if self.results.counts.games == 0 {
            return style.line(out, "no games");
        }
        style.title(out, &GAMES.count(self.results.counts.games))?;
        if self.results.counts.other > 0 {
            style.line(out, &format!("{} without a result", GAMES.count(self.results.counts.other)))?;
        }
        let rows = overview_rows(self);
        let table = |out: &mut dyn Write, table: &str, title: &str, what: &str| {
            let row = |row: &OverviewRow| {
                let counts = &row.results.counts;
                let bar = bar(counts.known(), counts.games, BAR);
                [row.name()].into_iter().chain(numbers(&row.results)).chain([bar]).collect()
            };
            let head: Vec<&str> = [what].into_iter().chain(RESULTS).chain([""]).collect();
            let of_table = rows.iter().filter(|row| row.table == table);
            style.section(out, title, &head, 1, of_table.map(row).collect())
        };
        table(out, "all", "Results", "")?;
        table(out, "rating_difference", "By rating difference (White minus Black)", "rating")?;
        table(out, "moves", "By length", "moves")?;
        if let Some(mean) = self.lengths.mean_plies {
            let [median, most] = [self.lengths.median_plies, self.lengths.most_plies]
                .map(|plies| PLIES.count(plies.unwrap_or(0).into()));
            let lengths = format!("{mean:.1} plies on average, median {median}, longest {most}");
            style.line(out, &lengths)?;
        }
        table(out, "years", "Over time", "years")?;
        write_families(out, &self.periods, style)?;
        let title = |what, shown: usize, of| format!("{what}: {shown} of {}", thousands(of));
        let heading =
            title("Openings (by the last named position)", self.families.len(), self.different_families);
        table(out, "family", &heading, "opening")?;
        let head: Vec<&str> = ["eco", "variation"].into_iter().chain(RESULTS).collect();
        let variations = rows.iter().filter(|row| row.table == "opening");
        let variations = variations
            .map(|row| [known(row.eco), row.name()].into_iter().chain(numbers(&row.results)).collect());
        let heading =
            title("Variations (by the last named position)", self.openings.len(), self.different_openings);
        style.section(out, &heading, &head, 2, variations.collect())?;
        let shown = self.endings.iter().filter(|of| of.ending.is_some()).count();
        let heading = title("Final material, not counting pawns", shown, self.different_endings);
        table(out, "ending", &heading, "pieces")
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &overview_rows(self))
    }

    /// Bars by year, by rating difference and by opening.
    fn picture(&self) -> Option<String> {
        let title = format!("{} games", thousands(self.results.counts.games));
        let mut chart = StackedChart::new(&title, ["White won", "drawn", "Black won"]);
        let rows = overview_rows(self);
        let bars = |table: &str| -> Vec<Bar> {
            let of_table = rows.iter().filter(|row| row.table == table && row.of != UNKNOWN);
            of_table
                .map(|row| Bar::new(row.name(), row.results.counts.known(), row.results.counts.games))
                .collect()
        };
        chart.upright("By year", &bars("years"));
        chart.lying("By rating difference (White minus Black)", &bars("rating_difference"));
        chart.lying("Openings (by the last named position)", &bars("family"));
        Some(chart.svg())
    }
}

fn numbers(Results { counts, percent, drawn_percent }: &Results) -> [String; 6] {
    let [games, white, draws, black, _] = counts.all().map(thousands);
    [games, white, draws, black, tenths(*percent), tenths(*drawn_percent)]
}

/// The most played openings in each period.
fn write_families(out: &mut dyn Write, periods: &[Period], style: TextStyle) -> io::Result<()> {
    let row = |of: &Period| {
        let families = of.families.iter().map(|of| format!("{} {}%", of.family, tenths(of.percent)));
        vec![period_name(of), families.collect::<Vec<_>>().join(", ")]
    };
    let rows = periods.iter().filter(|of| !of.families.is_empty()).map(row).collect();
    style.section(out, "Most played openings", &["years", "openings"], 2, rows)
}

/// A range of rating differences, in the form of filter ranges.
pub fn difference_name(of: &Band<Results>) -> String {
    let known = |number: Option<i64>| number.map_or(String::new(), |number| format!("{number:+}"));
    match (of.from, of.to) {
        (None, None) => "unrated".to_owned(),
        (from, to) => format!("{}..{}", known(from), known(to)),
    }
}

/// A range of lengths, in the form of filter ranges.
pub fn length_name(of: &LengthResults) -> String {
    if of.to == Some(of.from) { of.from.to_string() } else { format!("{}..{}", of.from, known(of.to)) }
}

/// A year, or a range of years in the form of filter ranges.
pub fn period_name(of: &Period) -> String {
    match of.from.zip(of.to) {
        Some((from, to)) if from == to => from.to_string(),
        Some((from, to)) => format!("{from}..{to}"),
        None => UNKNOWN.to_owned(),
    }
}

/// A row of the report on the games of an archive. The table is `all`, `rating_difference`, `moves`, `years`, `family`,
/// `opening` or `ending`; the item is a range, a period, the name of an opening or its family, or the pieces of an
/// ending; empty for all games, for games without a named position, and for those that ended with more pieces.
pub type OverviewRow = ReportRow<Results>;

impl OverviewRow {
    /// The item as people read it.
    pub(super) fn name(&self) -> String {
        match (self.table, self.of.as_str()) {
            ("all", _) => "all".to_owned(),
            ("ending", "") => "more".to_owned(),
            (_, "") => NAMELESS.to_owned(),
            (_, of) => of.to_owned(),
        }
    }
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
        number("drawn_percent", |row| row.results.drawn_percent.map(|drawn| Cell::rounded(drawn, 2)).into()),
    ];
    const ONE_LINE: bool = true;
}

/// All rows of a report, table by table.
fn overview_rows(answer: &Overview) -> Vec<OverviewRow> {
    let row = |table, of, results| OverviewRow { table, of, eco: None, results };
    let mut rows = vec![row("all", String::new(), answer.results)];
    let differences = answer.rating_differences.iter();
    rows.extend(differences.map(|of| row("rating_difference", difference_name(of), of.results)));
    rows.extend(answer.lengths.bands.iter().map(|of| row("moves", length_name(of), of.results)));
    rows.extend(answer.periods.iter().map(|of| row("years", period_name(of), of.results)));
    rows.extend(answer.families.iter().map(|of| row("family", known(of.family), of.results)));
    let opening = |of: &PlayedOpening<Results>| OverviewRow {
        eco: of.eco,
        ..row("opening", known(of.opening), of.results)
    };
    rows.extend(answer.openings.iter().map(opening));
    rows.extend(answer.endings.iter().map(|of| row("ending", known(of.ending.as_deref()), of.results)));
    rows
}
