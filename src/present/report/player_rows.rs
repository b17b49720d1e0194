//! The report of a player as one list, for programs that read tables.

use serde::Serialize;

use super::{
    super::list::Row,
    player::band_name,
    section::{known, known_or},
};
use crate::{
    columns::{Cell, ColumnOf, number, text},
    report::{LineScore, OpeningScores, PlayerReport, Score},
};

/// A row of the report of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// The table: `colour`, `opponents`, `year`, `family_as_white`, `opening_as_white`, `line_as_white`, and the last
    /// three with `black`.
    pub table: &'static str,
    /// The item in the table: a colour, a range of ratings, a year, the name of an opening or its family, a line of
    /// moves; empty for games without a named position.
    pub of: String,
    /// The code of the opening.
    pub eco: Option<&'static str>,
    /// The score.
    #[serde(flatten)]
    pub score: Score,
}

impl Row for PlayerRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("table", |row| row.table.into()),
        text("of", |row| row.of.as_str().into()),
        text("eco", |row| row.eco.into()),
        number("games", |row| row.score.games.into()),
        number("wins", |row| row.score.wins.into()),
        number("draws", |row| row.score.draws.into()),
        number("losses", |row| row.score.losses.into()),
        number("other", |row| row.score.other.into()),
        number("percent", |row| row.score.percent.map(|percent| Cell::rounded(percent, 2)).into()),
        number("mean_opponent", |row| row.score.mean_opponent.into()),
        number("performance", |row| row.score.performance.into()),
    ];
    const ONE_LINE: bool = true;
}

/// All rows of a report, table by table.
pub fn player_rows(answer: &PlayerReport) -> Vec<PlayerRow> {
    let row = |table, of: String, score| PlayerRow { table, of, eco: None, score };
    let colours = [("white", answer.white), ("black", answer.black), ("both", answer.total)];
    let mut rows = colours.map(|(colour, score)| row("colour", colour.to_owned(), score)).to_vec();
    rows.extend(answer.opponents.iter().map(|band| row("opponents", band_name(band), band.score)));
    rows.extend(answer.years.iter().map(|year| row("year", known_or(year.year, "unknown"), year.score)));
    add_openings(&mut rows, ["family_as_white", "opening_as_white"], &answer.openings_as_white);
    add_openings(&mut rows, ["family_as_black", "opening_as_black"], &answer.openings_as_black);
    add_lines(&mut rows, "line_as_white", &answer.lines_as_white, "", 0);
    add_lines(&mut rows, "line_as_black", &answer.lines_as_black, "", 0);
    rows
}

fn add_openings(rows: &mut Vec<PlayerRow>, [families, openings]: [&'static str; 2], answer: &OpeningScores) {
    let row = |table, of, eco, score| PlayerRow { table, of: known(of), eco, score };
    rows.extend(answer.families.iter().map(|of| row(families, of.family, None, of.score)));
    rows.extend(answer.most_played.iter().map(|of| row(openings, of.opening, of.eco, of.score)));
}

fn add_lines(
    rows: &mut Vec<PlayerRow>,
    table: &'static str,
    lines: &[LineScore],
    before: &str,
    plies: usize,
) {
    for line in lines {
        let number = if plies.is_multiple_of(2) { format!("{}. ", plies / 2 + 1) } else { String::new() };
        let of = format!("{before}{number}{}", known_or(line.san.as_deref(), "*"));
        rows.push(PlayerRow { table, of: of.clone(), eco: None, score: line.score });
        add_lines(rows, table, &line.lines, &format!("{of} "), plies + 1);
    }
}
