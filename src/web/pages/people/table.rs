//! The crosstable of an event on its page; of a large one, the standings.

use super::super::{
    address::Address, bar::Bar, language::Language, layout::Page, list::shown, names::player_link,
};
use crate::{
    chess::Color,
    record::GameId,
    report::{Against, Crosstable, Standing},
};

/// The most players whose results against each other are shown.
const CROSS: usize = 24;

/// The players of an event.
#[derive(Debug)]
pub(super) struct EventTable {
    /// The place, if there are several.
    pub(super) title: String,
    /// The number of columns of results; 0 in standings.
    pub(super) columns: usize,
    pub(super) rows: Vec<TableRow>,
    pub(super) has_ratings: bool,
}

#[derive(Debug)]
pub(super) struct TableRow {
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) link: Address,
    pub(super) rating: Option<i64>,
    /// The games against each player; `None` against oneself.
    pub(super) cells: Vec<Option<Vec<Point>>>,
    pub(super) bar: Bar,
    pub(super) games: u64,
    pub(super) points: String,
    pub(super) sonneborn_berger: String,
    pub(super) performance: Option<i64>,
}

/// A game in the table.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) link: Address,
    pub(super) class: &'static str,
    pub(super) sign: char,
    pub(super) is_white: bool,
    /// Result, colour and opponent in words.
    pub(super) title: String,
}

impl EventTable {
    pub(super) fn new(page: &Page, site: Option<&str>, table: &Crosstable) -> EventTable {
        let columns = if table.players.len() <= CROSS { table.players.len() } else { 0 };
        let row = |(place, of): (usize, &Standing)| TableRow {
            place: of.place,
            name: shown(Some(&of.player)),
            link: player_link(page, &of.player),
            rating: of.rating,
            cells: (0..columns)
                .map(|column| (column != place).then(|| points(page, table, of, column)))
                .collect(),
            bar: Bar::of_player(page.language, [of.score.wins, of.score.draws, of.score.losses]),
            games: of.score.games,
            points: halves(of.points),
            sonneborn_berger: decimals(page, of.sonneborn_berger),
            performance: of.score.performance,
        };
        EventTable {
            title: site.map_or(String::new(), |site| shown(Some(site))),
            columns,
            rows: (0..).zip(&table.players).map(row).collect(),
            has_ratings: table.players.iter().any(|of| of.rating.is_some()),
        }
    }
}

/// The games of a player against another one.
fn points(page: &Page, table: &Crosstable, of: &Standing, opponent: usize) -> Vec<Point> {
    let found = of.against.binary_search_by_key(&opponent, |against| against.opponent);
    let Some(against) = found.ok().and_then(|place| of.against.get(place)) else { return Vec::new() };
    let name = table.players.get(opponent).map_or(String::new(), |of| shown(Some(&of.player)));
    let Against { results, games, .. } = against;
    results.chars().zip(games).map(|(sign, (id, side))| point(page, sign, (*id, *side), &name)).collect()
}

fn point(page: &Page, sign: char, (id, side): (GameId, Color), opponent: &str) -> Point {
    let words = page.words;
    let (class, result) = match sign {
        '1' => ("won", words.won),
        '0' => ("lost", words.lost),
        '½' => ("", words.drawn),
        _ => ("", words.unknown),
    };
    let colour = side.fold_wb(words.with_white, words.with_black);
    Point {
        link: page.link(format!("/game/{id}")),
        class,
        sign,
        is_white: side == Color::White,
        title: format!("{result}, {colour}, {opponent}"),
    }
}

/// A number with as many decimals as it has.
fn decimals(page: &Page, number: f64) -> String {
    let text = number.to_string();
    if page.language == Language::German { text.replace('.', ",") } else { text }
}

/// Points with a half as a fraction.
fn halves(points: f64) -> String {
    match (points.trunc(), points.fract() > 0.0) {
        (0.0, true) => "½".to_owned(),
        (whole, half) => format!("{whole:.0}{}", if half { "½" } else { "" }),
    }
}
