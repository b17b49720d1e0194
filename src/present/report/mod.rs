//! Reports as text, lists and charts.

mod crosstable;
mod overview;
mod player;

use serde::Serialize;

use super::{
    FilterText, RequestError,
    chart::{Bar, StackedChart},
};
use crate::{
    counts::thousands,
    printable,
    report::{Overview, PlayedFamily, Player, PlayerReport, Score},
};
use overview::{NAMELESS, UNKNOWN, overview_rows};
pub use overview::{difference_name, length_name, period_name};
pub use player::band_name;

/// The player that a filter names; `None` if it names none.
///
/// # Errors
/// The colour is invalid.
pub fn reported_player(text: &FilterText) -> Result<Option<Player>, RequestError> {
    let Some(name) = text.get("player") else { return Ok(None) };
    let read = |colour: &str| colour.parse().map_err(|_| RequestError::Colour(colour.to_owned()));
    Ok(Some(Player {
        name: name.to_owned(),
        colour: text.get("colour").map(read).transpose()?,
        opponent: text.get("opponent").map(ToOwned::to_owned),
    }))
}

/// The texts of a chart.
#[derive(Clone, Copy, Debug)]
pub struct PictureWords {
    /// The noun after a number of games.
    pub games: &'static str,
    /// Results of a player: won, drawn, lost.
    pub score: [&'static str; 3],
    /// Games that White won, draws, games that Black won.
    pub results: [&'static str; 3],
    /// The heading of the bars by year.
    pub years: &'static str,
    /// The heading of the bars by opponent's rating.
    pub opponents: &'static str,
    /// The heading of the bars by rating difference.
    pub differences: &'static str,
    /// The heading of the bars by opening.
    pub openings: &'static str,
    /// The headings of the bars by opening as White, and as Black.
    pub openings_as: [&'static str; 2],
}

impl PictureWords {
    /// In English.
    pub const ENGLISH: PictureWords = PictureWords {
        games: "games",
        score: ["won", "drawn", "lost"],
        results: ["White won", "drawn", "Black won"],
        years: "By year",
        opponents: "By opponent's rating",
        differences: "By rating difference (White minus Black)",
        openings: "Openings (by the last named position)",
        openings_as: [
            "Openings as White (by the last named position)",
            "Openings as Black (by the last named position)",
        ],
    };
}

/// The report of a player as SVG: bars by year, by opponent's rating and by opening.
pub fn player_picture(answer: &PlayerReport, words: &PictureWords) -> String {
    let name = match answer.names.as_slice() {
        [only] if answer.different_names == 1 => &only.name,
        _ => &answer.player,
    };
    let title = format!("{}: {} {}", printable::line(name), thousands(answer.games), words.games);
    let mut chart = StackedChart::new(&title, words.score);
    let bar =
        |name: String, score: &Score| Bar::new(name, [score.wins, score.draws, score.losses], score.games);
    let years = answer.years.iter().filter_map(|of| Some(bar(of.year?.to_string(), &of.score)));
    chart.upright(words.years, &years.collect::<Vec<_>>());
    let bands: Vec<Bar> = answer.opponents.iter().map(|of| bar(band_name(of), &of.results)).collect();
    chart.lying(words.opponents, &bands);
    let family = |of: &PlayedFamily<Score>| bar(of.family.unwrap_or(NAMELESS).to_owned(), &of.results);
    for (heading, of) in
        words.openings_as.into_iter().zip([&answer.openings_as_white, &answer.openings_as_black])
    {
        chart.lying(heading, &of.families.iter().map(family).collect::<Vec<_>>());
    }
    chart.svg()
}

/// The report on the games of an archive as SVG: bars by year, by rating difference and by opening.
pub fn overview_picture(answer: &Overview, words: &PictureWords) -> String {
    let title = format!("{} {}", thousands(answer.results.counts.games), words.games);
    let mut chart = StackedChart::new(&title, words.results);
    let rows = overview_rows(answer);
    let bars = |table: &str| -> Vec<Bar> {
        let of_table = rows.iter().filter(|row| row.table == table && row.of != UNKNOWN);
        of_table
            .map(|row| Bar::new(row.name(), row.results.counts.known(), row.results.counts.games))
            .collect()
    };
    chart.upright(words.years, &bars("years"));
    chart.lying(words.differences, &bars("rating_difference"));
    chart.lying(words.openings, &bars("family"));
    chart.svg()
}

/// A row of a report, which has several tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportRow<T> {
    /// The table.
    pub table: &'static str,
    /// The item in the table.
    pub of: String,
    /// The code of the opening.
    pub eco: Option<&'static str>,
    /// The results.
    #[serde(flatten)]
    pub results: T,
}

/// A share in percent, with one decimal.
fn tenths(percent: Option<f64>) -> String {
    percent.map_or(String::new(), |percent| format!("{percent:.1}"))
}
