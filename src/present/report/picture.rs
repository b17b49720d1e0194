//! Reports as charts.

use super::{
    super::stacked::{Bar, StackedChart},
    overview::{NAMELESS, difference_name, period_name},
    player::band_name,
    section::known_or,
};
use crate::{
    counts::thousands,
    printable,
    report::{FamilyResults, FamilyScore, Overview, PlayerReport, Results, Score},
};

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

fn of_score(name: String, score: &Score) -> Bar {
    Bar { name, parts: [score.wins, score.draws, score.losses], games: score.games, percent: score.percent }
}

fn of_results(name: String, results: &Results) -> Bar {
    let parts = results.counts.known();
    Bar { name, parts, games: results.counts.games, percent: results.percent }
}

/// The report of a player as SVG: bars by year, by opponent's rating and by opening.
pub fn player_picture(answer: &PlayerReport, words: &PictureWords) -> String {
    let name = match answer.names.as_slice() {
        [only] if answer.different_names == 1 => &only.name,
        _ => &answer.player,
    };
    let title = format!("{}: {} {}", printable::line(name), thousands(answer.games), words.games);
    let mut chart = StackedChart::new(&title, words.score);
    let years = answer.years.iter().filter(|of| of.year.is_some());
    let years: Vec<Bar> = years.map(|of| of_score(known_or(of.year, ""), &of.score)).collect();
    chart.upright(words.years, &years);
    let bands: Vec<Bar> = answer.opponents.iter().map(|of| of_score(band_name(of), &of.score)).collect();
    chart.lying(words.opponents, &bands);
    let family = |of: &FamilyScore| of_score(of.family.unwrap_or(NAMELESS).to_owned(), &of.score);
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
    let periods = answer.periods.iter().filter(|of| of.from.is_some());
    let periods: Vec<Bar> = periods.map(|of| of_results(period_name(of), &of.results)).collect();
    chart.upright(words.years, &periods);
    let differences = answer.rating_differences.iter();
    let differences: Vec<Bar> = differences.map(|of| of_results(difference_name(of), &of.results)).collect();
    chart.lying(words.differences, &differences);
    let family = |of: &FamilyResults| of_results(of.family.unwrap_or(NAMELESS).to_owned(), &of.results);
    chart.lying(words.openings, &answer.families.iter().map(family).collect::<Vec<_>>());
    chart.svg()
}
