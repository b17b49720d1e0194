//! The report of a player as text, and as one list for programs that read tables.

use std::io::{self, Write};

use super::{
    ReportRow,
    overview::{NAMELESS, UNKNOWN},
    tenths,
};
use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::{GAMES, thousands},
    present::{
        Answer,
        answer::{known, name_items},
        bar::bar,
        chart::{Bar, StackedChart},
        explore::share,
        list::{self, ListFormat, ListOptions, Row, TextStyle},
        numbered::from_first_move,
    },
    printable,
    report::{Band, LineScore, MostPlayed, PlayedFamily, PlayedOpening, PlayerReport, Score},
};

/// The width of a bar.
const BAR: usize = 16;

/// The headings of a score.
const SCORE: [&str; 7] = ["games", "won", "drawn", "lost", "score", "opp.", "perf"];

/// Tables of games: the numbers won, drawn and lost, the score in percent, the mean rating of the opponents, and the
/// performance.
impl Answer for PlayerReport {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        if self.games == 0 {
            return style.line(out, "no games");
        }
        write_head(out, self, style)?;
        let rows = player_rows(self);
        let scores = |out: &mut dyn Write, table: &str, title: &str, what: &str| {
            let row = |PlayerRow { of, results: score, .. }: &PlayerRow| {
                let name = match of.as_str() {
                    "" => NAMELESS,
                    "white" => "White",
                    "black" => "Black",
                    of => of,
                };
                let bar = bar(score.known(), score.games, BAR);
                [name.to_owned()].into_iter().chain(numbers(score)).chain([bar]).collect()
            };
            let head: Vec<&str> = [what].into_iter().chain(SCORE).chain([""]).collect();
            let of_table = rows.iter().filter(|row| row.table == table && row.results.games > 0);
            style.section(out, title, &head, 1, of_table.map(row).collect())
        };
        scores(out, "colour", "By colour", "as")?;
        scores(out, "opponents", "By opponent's rating", "rating")?;
        scores(out, "year", "By year", "year")?;
        for (side, table, of) in [
            ("White", "family_as_white", &self.openings_as_white),
            ("Black", "family_as_black", &self.openings_as_black),
        ] {
            let title = |what, shown: usize, all| {
                format!("{what} as {side} (by the last named position): {shown} of {}", thousands(all))
            };
            let heading = title("Openings", of.families.len(), of.different_families);
            scores(out, table, &heading, "opening")?;
            let heading = title("Variations", of.most_played.len(), of.different);
            let head: Vec<&str> = ["eco", "variation"].into_iter().chain(SCORE).collect();
            let variation = |of: &PlayedOpening<Score>| {
                let name = of.opening.unwrap_or(NAMELESS).to_owned();
                [known(of.eco), name].into_iter().chain(numbers(&of.results)).collect()
            };
            style.section(out, &heading, &head, 2, of.most_played.iter().map(variation).collect())?;
        }
        write_lines(out, "First moves as White", &self.lines_as_white, &self.white, style)?;
        write_lines(out, "Replies as Black", &self.lines_as_black, &self.black, style)
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &player_rows(self))
    }

    /// Bars by year, by opponent's rating and by opening.
    fn picture(&self) -> Option<String> {
        let name = match self.names.as_slice() {
            [only] if self.different_names == 1 => &only.name,
            _ => &self.player,
        };
        let title = format!("{}: {} games", printable::line(name), thousands(self.games));
        let mut chart = StackedChart::new(&title, ["won", "drawn", "lost"]);
        let bar = |name: String, score: &Score| Bar::new(name, score.known(), score.games);
        let years = self.years.iter().filter_map(|of| Some(bar(of.year?.to_string(), &of.score)));
        chart.upright("By year", &years.collect::<Vec<_>>());
        let bands: Vec<Bar> = self.opponents.iter().map(|of| bar(band_name(of), &of.results)).collect();
        chart.lying("By opponent's rating", &bands);
        let family = |of: &PlayedFamily<Score>| bar(of.family.unwrap_or(NAMELESS).to_owned(), &of.results);
        for (side, of) in [("White", &self.openings_as_white), ("Black", &self.openings_as_black)] {
            let heading = format!("Openings as {side} (by the last named position)");
            chart.lying(&heading, &of.families.iter().map(family).collect::<Vec<_>>());
        }
        Some(chart.svg())
    }
}

/// The player, and the number of games.
fn write_head(out: &mut dyn Write, answer: &PlayerReport, style: TextStyle) -> io::Result<()> {
    let more = answer.different_names.saturating_sub(answer.names.len() as u64);
    let games = GAMES.count(answer.games);
    match answer.names.as_slice() {
        [only] if more == 0 => style.title(out, &format!("{}: {games}", only.name))?,
        names => {
            style.title(out, &format!("{}: {games}", answer.player))?;
            style.items(out, &name_items(names, more))?;
        }
    }
    if answer.total.other > 0 {
        style.line(out, &format!("{} without a result", GAMES.count(answer.total.other)))?;
    }
    Ok(())
}

/// A range of ratings, in the form of filter ranges.
pub fn band_name(band: &Band<Score>) -> String {
    band.from.zip(band.to).map_or("unrated".to_owned(), |(from, to)| format!("{from}..{to}"))
}

fn numbers(score: &Score) -> [String; 7] {
    let [games, wins, draws, losses] = [score.games, score.wins, score.draws, score.losses].map(thousands);
    [games, wins, draws, losses, tenths(score.percent), known(score.mean_opponent), known(score.performance)]
}

fn write_lines(
    out: &mut dyn Write,
    title: &str,
    lines: &[LineScore],
    all: &Score,
    style: TextStyle,
) -> io::Result<()> {
    let row = |path: &Vec<&LineScore>| {
        let (line, before) = path.split_last()?;
        let (depth, of) = (before.len(), before.last().map_or(all, |line| &line.score));
        let dots = if depth.is_multiple_of(2) { "." } else { "..." };
        let san = line.san.as_deref().unwrap_or("other first moves");
        let name = format!("{}{}{dots} {san}", "  ".repeat(depth), depth / 2 + 1);
        let share = share(line.score.games, of.games);
        Some([name, share].into_iter().chain(numbers(&line.score)).collect())
    };
    let rows = LineScore::paths(lines).iter().filter_map(row).collect();
    let head: Vec<&str> = ["move", "share"].into_iter().chain(SCORE).collect();
    style.section(out, title, &head, 1, rows)
}

/// A row of the report of a player. The table is `colour`, `opponents`, `year`, `family_as_white`, `opening_as_white`,
/// `line_as_white`, or one of the last three with `black`; the item is a colour, a range of ratings, a year, the name of
/// an opening or its family, or a line of moves; empty for games without a named position.
pub type PlayerRow = ReportRow<Score>;

impl Row for PlayerRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("table", |row| row.table.into()),
        text("of", |row| row.of.as_str().into()),
        text("eco", |row| row.eco.into()),
        number("games", |row| row.results.games.into()),
        number("wins", |row| row.results.wins.into()),
        number("draws", |row| row.results.draws.into()),
        number("losses", |row| row.results.losses.into()),
        number("other", |row| row.results.other.into()),
        number("percent", |row| row.results.percent.map(|percent| Cell::rounded(percent, 2)).into()),
        number("mean_opponent", |row| row.results.mean_opponent.into()),
        number("performance", |row| row.results.performance.into()),
    ];
    const ONE_LINE: bool = true;
}

/// All rows of a report, table by table.
pub fn player_rows(answer: &PlayerReport) -> Vec<PlayerRow> {
    let row = |table, of: String, results| PlayerRow { table, of, eco: None, results };
    let colours = [("white", answer.white), ("black", answer.black), ("both", answer.total)];
    let mut rows = colours.map(|(colour, score)| row("colour", colour.to_owned(), score)).to_vec();
    rows.extend(answer.opponents.iter().map(|band| row("opponents", band_name(band), band.results)));
    let year = |year: Option<u16>| year.map_or(UNKNOWN.to_owned(), |year| year.to_string());
    rows.extend(answer.years.iter().map(|of| row("year", year(of.year), of.score)));
    add_opening_rows(&mut rows, ["family_as_white", "opening_as_white"], &answer.openings_as_white);
    add_opening_rows(&mut rows, ["family_as_black", "opening_as_black"], &answer.openings_as_black);
    for (table, lines) in
        [("line_as_white", &answer.lines_as_white), ("line_as_black", &answer.lines_as_black)]
    {
        let line = |path: &Vec<&LineScore>| {
            let moves: Vec<&str> = path.iter().map(|line| line.san.as_deref().unwrap_or("*")).collect();
            Some(row(table, from_first_move(&moves), path.last()?.score))
        };
        rows.extend(LineScore::paths(lines).iter().filter_map(line));
    }
    rows
}

fn add_opening_rows(
    rows: &mut Vec<PlayerRow>,
    [families, openings]: [&'static str; 2],
    answer: &MostPlayed<Score>,
) {
    let row = |table, of, eco, results| PlayerRow { table, of: known(of), eco, results };
    rows.extend(answer.families.iter().map(|of| row(families, of.family, None, of.results)));
    rows.extend(answer.most_played.iter().map(|of| row(openings, of.opening, of.eco, of.results)));
}
