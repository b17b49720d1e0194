//! Crosstables as text and as a list, and the editions of an event as a list.

use std::io::{self, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::{
    columns::{Cell, ColumnOf, number, text},
    counts::{GAMES, thousands},
    present::{
        Answer,
        answer::known,
        list::{self, ListFormat, ListOptions, Row, TextStyle, cut},
    },
    report::{Crosstable, Crosstables, Edition, Standing},
};

/// The maximum width of a name.
const NAME: usize = 24;

/// The cell on the diagonal.
const SELF: &str = "x";

/// Rank, name, mean rating, the results against each opponent, points and Sonneborn-Berger score. If that does not fit
/// into a terminal, the points against each opponent; if that does not fit either, only the numbers of games won, drawn
/// and lost.
impl Answer for Crosstables {
    fn count(&self) -> u64 {
        self.events.iter().map(|table| table.games).sum()
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        if self.events.is_empty() {
            return style.line(out, "no games");
        }
        for (number, table) in self.events.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            write_table(out, table, style)?;
        }
        Ok(())
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &crosstable_rows(self))
    }
}

fn write_table(out: &mut dyn Write, table: &Crosstable, style: TextStyle) -> io::Result<()> {
    let year = table.year.map(|year| year.to_string());
    let names = [table.event.as_deref(), table.site.as_deref(), year.as_deref()];
    let names: Vec<&str> = names.into_iter().flatten().collect();
    style.title(out, &style.cut(&names.join(", "), 0, NAME))?;
    let players = thousands(table.players.len() as u64);
    style.line(out, &format!("{players} players, {}", GAMES.count(table.games)))?;
    if style.is_plain() {
        writeln!(out)?;
    }
    let ways: [fn(&Crosstable, &Standing) -> Vec<String>; 3] =
        [|table, of| against(table, of, str::to_owned), points, numbers];
    let mut text = String::new();
    for (cells, head) in ways.into_iter().zip([true, true, false]) {
        text = printed(table, cells, head, style)?;
        if style.width.is_none_or(|width| text.lines().all(|line| line.width() <= width)) {
            break;
        }
    }
    write!(out, "{text}")
}

/// A table with some cells for each player: one per opponent, or the numbers of games won, drawn and lost.
fn printed(
    table: &Crosstable,
    cells: fn(&Crosstable, &Standing) -> Vec<String>,
    against_each: bool,
    style: TextStyle,
) -> io::Result<String> {
    let heads: Vec<String> = match against_each {
        true => (1..=table.players.len()).map(|number| number.to_string()).collect(),
        false => ["won", "drawn", "lost"].map(str::to_owned).to_vec(),
    };
    let head: Vec<&str> = ["", "player", "elo"]
        .into_iter()
        .chain(heads.iter().map(String::as_str))
        .chain(["points", "SB"])
        .collect();
    let name = |player: &str| style.width.map_or_else(|| player.to_owned(), |_| cut(player, NAME));
    let row = |(number, of): (usize, &Standing)| {
        let mut row = vec![number.to_string(), name(&of.player), known(of.rating)];
        row.extend(cells(table, of));
        row.extend([format!("{:.1}", of.points), format!("{:.2}", of.sonneborn_berger)]);
        row
    };
    let rows: Vec<Vec<String>> = (1..).zip(&table.players).map(row).collect();
    let mut text = Vec::new();
    style.table(&mut text, &head, |at| at != 1, &rows)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A cell for each opponent.
fn against(table: &Crosstable, of: &Standing, cell: impl Fn(&str) -> String) -> Vec<String> {
    let of_opponent = |(place, opponent): (usize, &Standing)| {
        let games = of.against.iter().find(|against| against.opponent == place);
        if std::ptr::eq(opponent, of) {
            SELF.to_owned()
        } else {
            games.map_or(String::new(), |games| cell(&games.results))
        }
    };
    table.players.iter().enumerate().map(of_opponent).collect()
}

fn points(table: &Crosstable, of: &Standing) -> Vec<String> {
    against(table, of, |results| {
        let halves: usize =
            results.chars().map(|sign| "0½1".chars().position(|known| known == sign).unwrap_or(0)).sum();
        match (halves / 2, halves % 2) {
            (0, 1) => "½".to_owned(),
            (whole, rest) => format!("{whole}{}", if rest == 1 { "½" } else { "" }),
        }
    })
}

fn numbers(_: &Crosstable, of: &Standing) -> Vec<String> {
    of.score.known().map(thousands).to_vec()
}

/// A player of an event, as a row of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrosstableRow {
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// The year.
    pub year: Option<u16>,
    /// The player's number in the table, from 1.
    pub number: usize,
    /// Rank, name, score and points; the games against each opponent, with 0-based indices in the table.
    #[serde(flatten)]
    pub standing: Standing,
}

impl Row for CrosstableRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("event", |row| row.event.clone().into()),
        text("site", |row| row.site.clone().into()),
        number("year", |row| row.year.into()),
        number("number", |row| row.number.into()),
        number("place", |row| row.standing.place.into()),
        text("player", |row| row.standing.player.as_str().into()),
        number("rating", |row| row.standing.rating.into()),
        number("games", |row| row.standing.score.games.into()),
        number("wins", |row| row.standing.score.wins.into()),
        number("draws", |row| row.standing.score.draws.into()),
        number("losses", |row| row.standing.score.losses.into()),
        number("other", |row| row.standing.score.other.into()),
        number("points", |row| Cell::rounded(row.standing.points, 1)),
        number("sonneborn_berger", |row| Cell::rounded(row.standing.sonneborn_berger, 2)),
        text("against", |row| {
            let games = row.standing.against.iter();
            Cell::joined(games.map(|of| format!("{}:{}", of.opponent + 1, of.results)), " ")
        }),
    ];
    const ONE_LINE: bool = true;
}

/// All players of all tables.
fn crosstable_rows(answer: &Crosstables) -> Vec<CrosstableRow> {
    let of_table = |table: &Crosstable| {
        let row = |(number, standing): (usize, &Standing)| CrosstableRow {
            event: table.event.clone(),
            site: table.site.clone(),
            year: table.year,
            number,
            standing: standing.clone(),
        };
        (1..).zip(&table.players).map(row).collect::<Vec<_>>()
    };
    answer.events.iter().flat_map(of_table).collect()
}

impl Row for Edition {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("year", |row| row.year.into()),
        text("site", |row| row.site.clone().into()),
        number("players", |row| row.players.into()),
        number("mean_rating", |row| row.mean_rating.into()),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
    ];
    const ONE_LINE: bool = true;
}
