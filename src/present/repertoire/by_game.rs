//! Where each game leaves a repertoire.

use std::{io::Write, ops::ControlFlow::Continue};

use serde::Serialize;

use super::line;
use crate::{
    archive::{Archive, Filter, Summary},
    chess::SanPlus,
    columns::{Cell, ColumnOf, number, text, word},
    counts::{GAMES, Noun},
    present::{
        PresentError,
        games::shown_date,
        list::{Head, ListFormat, ListOptions, Row},
        numbered::numbered,
    },
    query::{Departure, DepartureKind, Repertoire, each_departure},
    record::GameId,
};

/// Where a game leaves the repertoire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameDeparture {
    /// The game.
    pub id: GameId,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result, as written in PGN.
    pub result: &'static str,
    /// The date, as written in PGN.
    pub date: Option<String>,
    /// Why it left the repertoire; `None` if it never reached it.
    pub kind: Option<DepartureKind>,
    /// The ply of the move that left it, 1 for the first move of the game; `None` if the game ended in it.
    pub ply: Option<usize>,
    /// This move with its number.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// The moves of the repertoire instead.
    pub book: Vec<String>,
    /// The line of the repertoire that leads to the position before it.
    pub line: String,
}

impl GameDeparture {
    fn new(repertoire: &Repertoire, summary: Summary, departure: Option<Departure>) -> GameDeparture {
        let Summary { id, white, black, result, date, .. } = summary;
        let position = departure.and_then(|departure| repertoire.position(departure.place));
        let played = departure.and_then(|departure| departure.played).zip(position);
        GameDeparture {
            id,
            white,
            black,
            result,
            date,
            kind: departure.map(|departure| departure.kind),
            ply: departure.filter(|departure| departure.played.is_some()).map(|departure| departure.ply + 1),
            played: played
                .map(|(m, position)| numbered(position, &SanPlus::from_move(position.clone(), m), true)),
            book: departure.map_or_else(Vec::new, |departure| repertoire.moves(departure.place)),
            line: departure.map_or_else(String::new, |departure| line(repertoire, departure.place)),
        }
    }

    fn by(&self) -> &'static str {
        match self.kind {
            Some(DepartureKind::Reply) => "opponent",
            Some(DepartureKind::Own) => "own",
            Some(DepartureKind::End) => "end of line",
            Some(DepartureKind::Finished) => "ended",
            None => "never in it",
        }
    }
}

impl Row for GameDeparture {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.id.into()),
        text("white", |row| row.white.clone().into()),
        text("black", |row| row.black.clone().into()),
        text("result", |row| row.result.into()),
        text("date", |row| row.date.clone().into()),
        text("by", |row| row.by().into()),
        number("ply", |row| row.ply.into()),
        text("move", |row| row.played.clone().into()),
        text("book", |row| Cell::joined(&row.book, " ")),
        text("line", |row| row.line.as_str().into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.id.into()),
        text("white", |row| row.white.clone().into()),
        text("black", |row| row.black.clone().into()),
        word("result", |row| row.result.into()),
        word("date", |row| shown_date(&row.date).into()),
        word("by", |row| row.by().into()),
        word("move", |row| row.played.clone().into()),
        text("lines have", |row| Cell::joined(&row.book, " ")),
        text("after", |row| row.line.as_str().into()),
    ];
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}

/// Writes a list of where the games that match a filter leave a repertoire. `watch` receives the number of games so far,
/// which is returned at the end.
///
/// # Errors
/// The archive cannot be read, or the list cannot be written.
pub fn write_departures(
    (archive, filter): (&Archive, &Filter),
    repertoire: &Repertoire,
    (format, options): (&ListFormat, ListOptions),
    out: &mut dyn Write,
    watch: impl Fn(u64),
) -> Result<u64, PresentError> {
    let mut rows = format.begin(out, Head::of::<GameDeparture>(), options);
    let mut games = 0;
    each_departure(archive, repertoire, filter, |summary, departure| {
        rows.row(&GameDeparture::new(repertoire, summary, departure))?;
        games += 1;
        watch(games);
        Ok::<_, PresentError>(Continue(()))
    })?;
    rows.end()?;
    Ok(games)
}
