//! The report on the games of an archive as text.

use std::io::{self, Write};

use super::{
    super::{Answer, ListStyle, explore::bar, list::TextStyle},
    overview_rows::overview_rows,
    picture::{PictureWords, overview_picture},
    section::{ReportSection, known, tenths},
};
use crate::{
    counts::{GAMES, PLIES, thousands},
    report::{DifferenceResults, LengthResults, Overview, Period, Results},
};

/// The width of a bar.
const BAR: usize = 16;

/// The label of games without a named opening.
pub(super) const NAMELESS: &str = "no named position";

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
        let tables = Tables { style };
        tables.write(out, "Results", "", [("all".to_owned(), self.results)])?;
        let differences = self.rating_differences.iter().map(|of| (difference_name(of), of.results));
        tables.write(out, "By rating difference (White minus Black)", "rating", differences)?;
        tables.write(
            out,
            "By length",
            "moves",
            self.lengths.bands.iter().map(|of| (length_name(of), of.results)),
        )?;
        if let Some(mean) = self.lengths.mean_plies {
            let [median, most] = [self.lengths.median_plies, self.lengths.most_plies]
                .map(|plies| PLIES.count(plies.unwrap_or(0).into()));
            let lengths = format!("{mean:.1} plies on average, median {median}, longest {most}");
            style.line(out, &lengths)?;
        }
        tables.write(
            out,
            "Over time",
            "years",
            self.periods.iter().map(|of| (period_name(of), of.results)),
        )?;
        write_families(out, &self.periods, style)?;
        let title = |what, shown: usize, of| format!("{what}: {shown} of {}", thousands(of));
        let families = self.families.iter().map(|of| (of.family.unwrap_or(NAMELESS).to_owned(), of.results));
        let heading =
            title("Openings (by the last named position)", self.families.len(), self.different_families);
        tables.write(out, &heading, "opening", families)?;
        let head: Vec<&str> = ["eco", "variation"].into_iter().chain(RESULTS).collect();
        let rows = self.openings.iter().map(|of| {
            let name = of.opening.unwrap_or(NAMELESS).to_owned();
            [known(of.eco), name].into_iter().chain(numbers(&of.results)).collect()
        });
        let heading =
            title("Variations (by the last named position)", self.openings.len(), self.different_openings);
        ReportSection { title: &heading, head: &head, texts: 2, rows: rows.collect() }.write(out, style)?;
        let shown = self.endings.iter().filter(|of| of.ending.is_some()).count();
        let heading = title("Final material, not counting pawns", shown, self.different_endings);
        let endings =
            self.endings.iter().map(|of| (of.ending.clone().unwrap_or("more".to_owned()), of.results));
        tables.write(out, &heading, "pieces", endings)
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &overview_rows(self))
    }

    fn picture(&self) -> Option<String> {
        Some(overview_picture(self, &PictureWords::ENGLISH))
    }
}

/// Tables of results.
struct Tables {
    style: TextStyle,
}

impl Tables {
    fn write(
        &self,
        out: &mut dyn Write,
        title: &str,
        what: &str,
        results: impl IntoIterator<Item = (String, Results)>,
    ) -> io::Result<()> {
        let row = |(name, results): (String, Results)| {
            let bar = bar(results.counts.known(), results.counts.games, BAR);
            [name].into_iter().chain(numbers(&results)).chain([bar]).collect()
        };
        let head: Vec<&str> = [what].into_iter().chain(RESULTS).chain([""]).collect();
        let rows = results.into_iter().map(row).collect();
        ReportSection { title, head: &head, texts: 1, rows }.write(out, self.style)
    }
}

fn numbers(results: &Results) -> [String; 6] {
    let [games, white, draws, black] =
        [results.counts.games, results.counts.white, results.counts.draws, results.counts.black]
            .map(thousands);
    [games, white, draws, black, tenths(results.percent), tenths(results.drawn_percent)]
}

/// The most played openings in each period.
fn write_families(out: &mut dyn Write, periods: &[Period], style: TextStyle) -> io::Result<()> {
    let row = |of: &Period| {
        let families = of.families.iter().map(|of| format!("{} {}%", of.family, tenths(of.percent)));
        vec![period_name(of), families.collect::<Vec<_>>().join(", ")]
    };
    let rows = periods.iter().filter(|of| !of.families.is_empty()).map(row).collect();
    ReportSection { title: "Most played openings", head: &["years", "openings"], texts: 2, rows }
        .write(out, style)
}

/// A range of rating differences, in the form of filter ranges.
pub fn difference_name(of: &DifferenceResults) -> String {
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
        None => "unknown".to_owned(),
    }
}
