//! Lists of games, with or without the names of their openings.

use std::io::Write;

use serde::Serialize;

use super::{
    Result,
    list::{Head, ListFormat, ListOptions, Row},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, SizedGame, Summary},
    chess::{Date, Tags},
    columns::{Cell, ColumnOf, joined, number, spare, text, word},
    counts::{GAMES, Noun},
    openings::{OpeningId, Openings},
    record::GameKind,
    stats::SurprisingGame,
};

/// The columns of a game for machine-readable formats.
pub(super) const fn game_columns<R: AsRef<Summary>>() -> [ColumnOf<R>; 13] {
    [
        number("id", |row| row.as_ref().id.into()),
        text("white", |row| row.as_ref().white.clone().into()),
        text("black", |row| row.as_ref().black.clone().into()),
        text("result", |row| row.as_ref().result.as_str().into()),
        text("date", |row| row.as_ref().date.map(|date| date.to_string()).into()),
        text("event", |row| row.as_ref().event.clone().into()),
        text("site", |row| row.as_ref().site.clone().into()),
        text("round", |row| row.as_ref().round.clone().into()),
        number("white_elo", |row| row.as_ref().white_elo.into()),
        number("black_elo", |row| row.as_ref().black_elo.into()),
        text("eco", |row| row.as_ref().eco.clone().into()),
        number("plies", |row| row.as_ref().plies.into()),
        text("variant", |row| GameKind::name_or_unknown(row.as_ref().kind).into()),
    ]
}

/// The columns of a game in text tables.
pub(super) const fn shown_game_columns<R: AsRef<Summary>>() -> [ColumnOf<R>; 10] {
    [
        number("id", |row| row.as_ref().id.into()),
        text("white", |row| row.as_ref().white.clone().into()),
        number("elo", |row| row.as_ref().white_elo.into()),
        text("black", |row| row.as_ref().black.clone().into()),
        number("elo", |row| row.as_ref().black_elo.into()),
        word("result", |row| row.as_ref().result.as_str().into()),
        word("date", |row| row.as_ref().date.map(Date::known).into()),
        spare("event", |row| row.as_ref().event.clone().into()),
        word("eco", |row| row.as_ref().eco.clone().into()),
        number("plies", |row| row.as_ref().plies.into()),
    ]
}

/// The columns of a game on pages. Their readers count moves, and may not have the archive to which an id refers.
pub(super) const fn page_game_columns<R: AsRef<Summary>>() -> [ColumnOf<R>; 9] {
    [
        text("White", |row| row.as_ref().white.clone().into()),
        number("Elo", |row| row.as_ref().white_elo.into()),
        text("Black", |row| row.as_ref().black.clone().into()),
        number("Elo", |row| row.as_ref().black_elo.into()),
        word("Result", |row| row.as_ref().result.as_str().into()),
        word("Date", |row| row.as_ref().date.map(Date::known).into()),
        text("Event", |row| row.as_ref().event.clone().into()),
        word("ECO", |row| row.as_ref().eco.clone().into()),
        number("Moves", |row| ((row.as_ref().plies + 1) / 2).into()),
    ]
}

impl Row for Summary {
    const COLUMNS: &'static [ColumnOf<Self>] = &game_columns();
    const SHOWN: &'static [ColumnOf<Self>] = &shown_game_columns();
    const PAGE: &'static [ColumnOf<Self>] = &page_game_columns();
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}

impl Row for SizedGame {
    const COLUMNS: &'static [ColumnOf<Self>] = &joined::<_, 14>(&game_columns(), &[BYTES]);
    const SHOWN: &'static [ColumnOf<Self>] = &joined::<_, 11>(&shown_game_columns(), &[BYTES]);
    const PAGE: &'static [ColumnOf<Self>] =
        &joined::<_, 10>(&page_game_columns(), &[ColumnOf { name: "Bytes", ..BYTES }]);
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}

impl Row for SurprisingGame {
    const COLUMNS: &'static [ColumnOf<Self>] = &joined::<_, 14>(&game_columns(), &[BITS_PER_PLY]);
    const SHOWN: &'static [ColumnOf<Self>] =
        &joined::<_, 11>(&shown_game_columns(), &[ColumnOf { name: "bits/ply", ..BITS_PER_PLY }]);
    const PAGE: &'static [ColumnOf<Self>] =
        &joined::<_, 10>(&page_game_columns(), &[ColumnOf { name: "Bits per ply", ..BITS_PER_PLY }]);
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}

const BITS_PER_PLY: ColumnOf<SurprisingGame> =
    number("bits_per_ply", |row| Cell::rounded(row.bits_per_ply, 3));

const BYTES: ColumnOf<SizedGame> = number("bytes", |row| row.bytes.into());

/// The known part of the date of a game; the text of its Date tag if no tag has a date.
pub(crate) fn date_of_tags(tags: &Tags) -> Option<String> {
    let date = tags.date().map(Date::known);
    date.or_else(|| tags.get("Date").map(str::to_owned))
        .filter(|text| !matches!(text.as_str(), "" | "?" | "-"))
}

/// The games that match a filter. A [limit](Filter::limit) keeps the result small.
///
/// ```
/// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, present::games};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let games = games::list(&archive, &Filter { limit: Some(2), ..Filter::default() })?;
/// println!("{}", serde_json::to_string(&games)?);
/// # assert_eq!(games.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list(archive: &Archive, filter: &Filter) -> Result<Vec<Summary>> {
    Ok(archive.list::<Summary>(filter).collect::<Result<_, _>>()?)
}

/// Writes a list of games while they are found. Returns their number.
///
/// # Errors
/// The archive cannot be read, or the list cannot be written.
pub fn write<R: Row>(
    rows: impl Iterator<Item = Result<R, ArchiveError>>,
    format: &ListFormat,
    options: ListOptions,
    out: &mut dyn Write,
) -> Result<u64> {
    let mut list = format.begin(out, Head::of::<R>(), options);
    let mut count = 0;
    for row in rows {
        list.row(&row?)?;
        count += 1;
    }
    list.end()?;
    Ok(count)
}

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
    /// A game, and the opening of its last named position.
    pub fn new(summary: Summary, id: Option<OpeningId>) -> NamedGame {
        let opening = id.and_then(|id| Openings::standard().get(id));
        NamedGame {
            summary,
            opening_eco: opening.map(|found| found.eco),
            opening: opening.map(|found| found.name),
        }
    }

    fn code_and_name(&self) -> Cell {
        self.opening_eco.zip(self.opening).map(|(eco, name)| format!("{eco} {name}")).into()
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
    const SHOWN: &'static [ColumnOf<Self>] =
        &joined::<_, 11>(&shown_game_columns(), &[text("opening", NamedGame::code_and_name)]);
    const PAGE: &'static [ColumnOf<Self>] =
        &joined::<_, 10>(&page_game_columns(), &[text("Opening", NamedGame::code_and_name)]);
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}
