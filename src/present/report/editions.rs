//! The editions of an event as a list.

use serde::Serialize;

use super::super::list::Row;
use crate::{
    columns::{ColumnOf, number, text},
    query::Results,
    report::Edition,
};

/// An edition of an event, as a row of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EditionRow {
    /// The year in which it began.
    pub year: Option<u16>,
    /// The site.
    pub site: Option<String>,
    /// The number of players.
    pub players: usize,
    /// The mean of all ratings that its games give.
    pub mean_rating: Option<i64>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
}

impl From<&Edition> for EditionRow {
    fn from(edition: &Edition) -> EditionRow {
        EditionRow {
            year: edition.year,
            site: edition.site.clone(),
            players: edition.players,
            mean_rating: edition.mean_rating,
            results: edition.results.counts,
        }
    }
}

impl Row for EditionRow {
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
