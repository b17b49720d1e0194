//! Where each game leaves a repertoire.

use std::io::Write;

use serde::Serialize;

use super::line;
use crate::{
    archive::Summary,
    chess::SanPlus,
    columns::{Cell, ColumnOf, number, text, word},
    counts::{GAMES, Noun},
    present::{
        PresentError,
        games::shown_date,
        list::{Head, ListFormat, ListOptions, ListWriter, Row},
        numbered::numbered,
    },
    query::{Departure, DepartureKind, Repertoire},
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

/// Writes a list of where games leave a repertoire.
pub struct DeparturesList<'a> {
    repertoire: &'a Repertoire,
    rows: Box<dyn ListWriter + 'a>,
    /// The number of games written.
    games: u64,
}

impl<'a> DeparturesList<'a> {
    /// Begins a list.
    pub fn new(
        repertoire: &'a Repertoire,
        (format, options): (&'a ListFormat, ListOptions),
        out: &'a mut dyn Write,
    ) -> DeparturesList<'a> {
        DeparturesList { repertoire, rows: format.begin(out, Head::of::<GameDeparture>(), options), games: 0 }
    }

    /// Writes a game. Returns the number of games written.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, summary: Summary, departure: Option<Departure>) -> Result<u64, PresentError> {
        self.rows.row(&GameDeparture::new(self.repertoire, summary, departure))?;
        self.games += 1;
        Ok(self.games)
    }

    /// Ends the list. Returns the number of its games.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn end(self) -> Result<u64, PresentError> {
        self.rows.end()?;
        Ok(self.games)
    }
}
