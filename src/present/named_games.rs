//! Lists of games with the names of their openings.

use std::io::Write;

use serde::Serialize;

use super::{
    PresentError,
    games::{game_columns, shown_game_columns, write_rows},
    list::{ListFormat, ListOptions, Row},
};
use crate::{
    archive::{Archive, Filter, Summary},
    columns::{ColumnOf, joined, text},
    counts::{GAMES, Noun},
    openings::{OpeningId, Openings},
    query::{PositionIndex, openings_of_games},
};

/// A game of a list, and its opening by position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedGame {
    /// The game, from its tags.
    #[serde(flatten)]
    pub summary: Summary,
    /// The ECO code of its last named position; `None` if no position has a name, or the game is damaged.
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

impl AsRef<Summary> for NamedGame {
    fn as_ref(&self) -> &Summary {
        &self.summary
    }
}

impl Row for NamedGame {
    const COLUMNS: &'static [ColumnOf<Self>] = &joined::<_, 15>(
        &game_columns(),
        &[
            text("opening_eco", |row: &NamedGame| row.opening_eco.into()),
            text("opening", |row| row.opening.into()),
        ],
    );
    const SHOWN: &'static [ColumnOf<Self>] = &joined::<_, 11>(
        &shown_game_columns(),
        &[text("opening", |row: &NamedGame| {
            row.opening_eco.zip(row.opening).map(|(eco, name)| format!("{eco} {name}")).into()
        })],
    );
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}

/// Writes a list of the games that match a filter with their openings, as they are found. Games that are not indexed
/// are replayed. Returns their number.
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
