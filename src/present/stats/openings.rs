//! Which openings were played, and how they ended.

use std::ops::ControlFlow;

use serde::Serialize;

use super::super::{
    PresentError,
    list::{ListHead, Row, number, text},
};
use crate::{
    archive::{Archive, Filter},
    openings::Openings,
    query::{OpeningCount, PositionIndex, opening_counts},
};

/// An opening and its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningGames {
    /// Its code, A00 to E99; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The games whose last named position is of this opening.
    pub games: u64,
    /// Their share of all games, in percent.
    pub percent: f64,
    /// Those that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Those that Black won.
    pub black: u64,
    /// Those with any other result.
    pub other: u64,
}

impl Row for OpeningGames {
    const HEAD: ListHead = ListHead {
        one_line: true,
        ..ListHead::new(&[
            text("eco"),
            text("opening"),
            number("games"),
            number("percent"),
            number("white"),
            number("draws"),
            number("black"),
            number("other"),
        ])
    };

    fn cells(&self) -> Vec<String> {
        let known = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let numbers = [self.white, self.draws, self.black, self.other].map(|games| games.to_string());
        let mut cells = vec![known(self.eco), known(self.opening), self.games.to_string()];
        cells.push(format!("{:.2}", self.percent));
        cells.extend(numbers);
        cells
    }
}

/// Which openings the games of chess that pass a filter have by their positions: most games first. `watch` is told the
/// number of games that have been replayed because they are not indexed, and may break off; then there is no answer.
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
