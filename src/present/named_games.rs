//! Lists of games with the names of their openings.

use std::io::Write;

use serde::Serialize;

use super::{
    PresentError,
    games::{COLUMNS, SHOWN, write_rows},
    list::{Column, ListFormat, ListHead, ListOptions, Row, text},
};
use crate::{
    archive::{Archive, Filter, Summary},
    counts::GAMES,
    openings::{OpeningId, Openings},
    query::{PositionIndex, openings_of_games},
};

/// What a list says of a game, and its opening by position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedGame {
    /// What its tags say.
    #[serde(flatten)]
    pub summary: Summary,
    /// The code of its last named position; `None` if no position has a name, or the game is damaged.
    pub opening_eco: Option<&'static str>,
    /// The name of this position.
    pub opening: Option<&'static str>,
}

impl NamedGame {
    fn new(summary: Summary, id: Option<OpeningId>) -> NamedGame {
        let opening = id.and_then(|id| Openings::standard().get(id));
        NamedGame {
            summary,
            opening_eco: opening.map(|found| found.eco),
            opening: opening.map(|found| found.name),
        }
    }
}

impl Row for NamedGame {
    const HEAD: ListHead = ListHead {
        columns: &joined::<{ COLUMNS.len() + 2 }>(COLUMNS, &[text("opening_eco"), text("opening")]),
        shown: &joined::<{ SHOWN.len() + 1 }>(SHOWN, &[text("opening")]),
        noun: Some(GAMES),
        one_line: true,
    };

    fn cells(&self) -> Vec<String> {
        let opening = [self.opening_eco, self.opening].map(|text| text.unwrap_or_default().to_owned());
        [self.summary.cells(), opening.to_vec()].concat()
    }

    fn shown_cells(&self) -> Vec<String> {
        let opening = self.opening_eco.zip(self.opening).map(|(eco, name)| format!("{eco} {name}"));
        [self.summary.shown_cells(), vec![opening.unwrap_or_default()]].concat()
    }
}

/// Columns after others.
const fn joined<const N: usize>(columns: &[Column], others: &[Column]) -> [Column; N] {
    let mut all = [text(""); N];
    let mut place = 0;
    while place < N {
        all[place] = if place < columns.len() { columns[place] } else { others[place - columns.len()] };
        place += 1;
    }
    all
}

/// Writes a list of the games that pass a filter with their openings, while they are found. Those that are not indexed
/// are replayed. Gives their number.
///
/// # Errors
/// The archive cannot be read, its index is damaged, or the list cannot be written.
pub fn write_named_games(
    archive: &Archive,
    index: Option<&PositionIndex>,
    filter: &Filter,
    format: &dyn ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64, PresentError> {
    let games = openings_of_games(archive, index, filter)?;
    let named = games.map(|game| game.map(|(summary, opening)| NamedGame::new(summary, opening)));
    write_rows(named, format, options, out)
}
