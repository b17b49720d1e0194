//! The openings that were played, with their results.

use std::ops::ControlFlow;

use serde::Serialize;

use super::super::{PresentError, list::Row};
use crate::{
    archive::{Archive, Filter},
    columns::{Cell, ColumnOf, number, text},
    openings::Openings,
    query::{OpeningCount, PositionIndex, opening_counts},
};

/// An opening and its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningGames {
    /// The ECO code, A00 to E99; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The games whose last named position belongs to this opening.
    pub games: u64,
    /// Their share of all games, in percent.
    pub percent: f64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games with any other result.
    pub other: u64,
}

impl Row for OpeningGames {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("eco", |row| row.eco.into()),
        text("opening", |row| row.opening.into()),
        number("games", |row| row.games.into()),
        number("percent", |row| Cell::rounded(row.percent, 2)),
        number("white", |row| row.white.into()),
        number("draws", |row| row.draws.into()),
        number("black", |row| row.black.into()),
        number("other", |row| row.other.into()),
    ];
    const ONE_LINE: bool = true;
}

/// The openings of the chess games that match a filter, by position, most games first. `watch` receives the number of
/// games that had to be replayed because they are not indexed, and may cancel; then the result is `None`.
///
/// # Errors
/// The archive cannot be read.
pub fn opening_games(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<OpeningGames>>, PresentError> {
    let Some(counts) = opening_counts(archive, index, filter, watch)? else { return Ok(None) };
    let all: u64 = counts.iter().map(|count| count.sums.games()).sum();
    let row = |count: OpeningCount| {
        let opening = count.opening.and_then(|id| Openings::standard().get(id));
        let (sums, games) = (count.sums, count.sums.games());
        OpeningGames {
            eco: opening.map(|opening| opening.eco),
            opening: opening.map(|opening| opening.name),
            games,
            percent: 100.0 * games as f64 / all as f64,
            white: sums.results.white,
            draws: sums.results.draws,
            black: sums.results.black,
            other: sums.results.other,
        }
    };
    Ok(Some(counts.into_iter().map(row).collect()))
}
