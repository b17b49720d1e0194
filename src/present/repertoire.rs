//! Where games leave a repertoire: summarized, and game by game.

use std::io::{self, Write};

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Fen};

use super::{
    Answer, PresentError, Result,
    answer::{LEAST, taken},
    explore::score,
    list::{self, AnyRow, ListFormat, ListOptions, ListWriter, Row, TextStyle, cut},
    numbered::numbered,
};
use crate::{
    archive::{Archive, Filter, Summary},
    chess::{Date, SanPlus},
    columns::{Cell, ColumnOf, number, text, word},
    counts::{GAMES, Noun, POSITIONS, thousands},
    query::{
        Departure, DepartureKind, DepartureSums, Departures, DeparturesWanted, Repertoire, Results,
        each_departure,
    },
    record::{GameId, as_optional_text, as_text},
    rules::Outcome,
};

/// Where games leave a repertoire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepertoireAnswer {
    /// The side that it is for: `white` or `black`.
    pub owner: &'static str,
    /// The number of different positions in its lines.
    pub positions: u64,
    /// The number of games compared.
    pub games: u64,
    /// Games that left it by a move of the opponent.
    pub reply: u64,
    /// Games that left it by a move of the repertoire's side.
    pub own: u64,
    /// Games that continued beyond the end of a line.
    pub end: u64,
    /// Games that ended in it.
    pub finished: u64,
    /// Games without any position of it.
    pub outside: u64,
    /// Games that could not be replayed, and were skipped.
    pub damaged: u64,
    /// Where and how they left it, most games first.
    pub departures: Vec<DepartureRow>,
}

impl RepertoireAnswer {
    /// The requested departures.
    pub fn new(repertoire: &Repertoire, found: &Departures, wanted: DeparturesWanted) -> RepertoireAnswer {
        RepertoireAnswer {
            owner: repertoire.owner().fold_wb("white", "black"),
            positions: repertoire.positions() as u64,
            games: found.games,
            reply: found.games_of(DepartureKind::Reply),
            own: found.games_of(DepartureKind::Own),
            end: found.games_of(DepartureKind::End),
            finished: found.games_of(DepartureKind::Finished),
            outside: found.outside,
            damaged: found.damaged,
            departures: found.chosen(wanted).filter_map(|sum| DepartureRow::new(repertoire, sum)).collect(),
        }
    }
}

/// Games that left the repertoire in the same position with the same move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DepartureRow {
    /// The reason.
    pub kind: DepartureKind,
    /// The line of the repertoire that leads to the position.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The move with its number; `None` if the games ended there.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// The moves of the repertoire in the position.
    pub book: Vec<String>,
    /// The games.
    #[serde(flatten)]
    pub results: Results,
    /// The score of the repertoire's side in percent of the games with a result, rounded; `None` if there are none.
    pub score: Option<u64>,
    /// The latest year.
    pub last_year: Option<u16>,
    /// The game with the highest sum of ratings; of several, the first.
    pub best_game: Option<GameId>,
}

impl DepartureRow {
    /// The row of some games; `None` if they are those of another repertoire.
    pub fn new(repertoire: &Repertoire, sum: &DepartureSums) -> Option<DepartureRow> {
        let position = repertoire.position(sum.place)?;
        let games = &sum.games;
        Some(DepartureRow {
            kind: sum.kind,
            line: line(repertoire, sum.place),
            fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            played: sum.played.map(|m| numbered(position, &SanPlus::from_move(position.clone(), m), true)),
            book: repertoire.moves(sum.place),
            results: games.results,
            score: score(games.results.of(repertoire.owner())),
            last_year: games.last_year,
            best_game: games.best.map(|best| best.id),
        })
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            DepartureKind::Reply => "reply",
            DepartureKind::Own => "own",
            DepartureKind::End => "end",
            DepartureKind::Finished => "finished",
        }
    }
}

/// The moves of a line that leads to a position of a repertoire.
pub(crate) fn line(repertoire: &Repertoire, place: usize) -> String {
    let moves = repertoire.line(place);
    let moves = moves.into_iter().enumerate();
    let words: Vec<String> = moves.map(|(at, (position, san))| numbered(position, san, at == 0)).collect();
    words.join(" ")
}

impl Row for DepartureRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("kind", |row| row.kind_name().into()),
        text("line", |row| row.line.as_str().into()),
        text("fen", |row| row.fen.as_str().into()),
        text("move", |row| row.played.clone().into()),
        text("book", |row| Cell::joined(&row.book, " ")),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
        number("score", |row| row.score.into()),
        number("last_year", |row| row.last_year.into()),
        number("best_game", |row| row.best_game.into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        number("games", |row| row.results.games.into()),
        number("score", |row| row.score.map(|score| format!("{score}%")).into()),
        number("year", |row| row.last_year.into()),
        number("game", |row| row.best_game.into()),
        word("move", |row| row.played.clone().into()),
        text("lines have", |row| Cell::joined(&row.book, " ")),
        text("after", |row| row.line.as_str().into()),
    ];
    const ONE_LINE: bool = true;
}

/// The maximum width of the repertoire's moves.
const BOOK_WIDTH: usize = 20;

/// The width of a number of games, in addition to the indentation of its line.
const GAMES_WIDTH: usize = 7;

impl Answer for RepertoireAnswer {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &self.departures)
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let side = if self.owner == "white" { "White" } else { "Black" };
        style.title(out, &format!("repertoire of {side}: {}", POSITIONS.count(self.positions)))?;
        style.line(out, &format!("{}, of which", GAMES.count(self.games)))?;
        let width = if style.is_plain() { GAMES_WIDTH } else { 0 };
        let parts = [
            (self.reply, "left the repertoire by a move of the opponent"),
            (self.own, "left it by a move of your own"),
            (self.end, "continued beyond the end of a line"),
            (self.finished, "ended while in the repertoire"),
            (self.outside, "never reached the repertoire"),
        ];
        style.items(out, &parts.map(|(games, what)| format!("{:>width$} {what}", thousands(games))))?;
        for (kind, title) in [
            (DepartureKind::Reply, "Opponent's moves without a prepared reply"),
            (DepartureKind::Own, "Your moves that are not in the repertoire"),
            (DepartureKind::End, "Ends of lines, and the moves that followed"),
        ] {
            let rows: Vec<_> = self.departures.iter().filter(|row| row.kind == kind).collect();
            if !rows.is_empty() {
                style.heading(out, title)?;
                if style.is_plain() {
                    writeln!(out)?;
                }
                write_rows(out, &rows, style)?;
            }
        }
        Ok(())
    }
}

/// Writes departures; on a terminal, only the end of a long line is shown.
fn write_rows(out: &mut dyn Write, rows: &[&DepartureRow], style: TextStyle) -> io::Result<()> {
    let head: Vec<&str> = DepartureRow::SHOWN.iter().map(|column| column.name).collect();
    let mut rows: Vec<Vec<String>> = rows.iter().map(|row| row.shown_cells()).collect();
    // The moves of the repertoire, and the line before them.
    const BOOK: usize = 5;
    const LINE: usize = 6;
    if let Some(width) = style.width {
        rows.iter_mut().for_each(|row| row[BOOK] = cut(&row[BOOK], BOOK_WIDTH));
        let left = width.saturating_sub(taken(&head, &rows, LINE)).max(LEAST);
        rows.iter_mut().for_each(|row| row[LINE] = end_of(&row[LINE], left));
    }
    style.table(out, &head, |at| at < 4, &rows)
}

/// The last words of a text that fit into a width, after an ellipsis if some are missing. The text is plain ASCII.
fn end_of(text: &str, width: usize) -> String {
    if text.len() <= width {
        return text.to_owned();
    }
    let mut start = text.len();
    for (space, _) in text.rmatch_indices(' ') {
        if text.len() - space > width - 1 {
            break;
        }
        start = space;
    }
    format!("…{}", &text[start..])
}

/// Where a game leaves the repertoire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameDeparture {
    /// The game.
    pub id: GameId,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result.
    #[serde(serialize_with = "as_text")]
    pub result: Outcome,
    /// The date.
    #[serde(serialize_with = "as_optional_text")]
    pub date: Option<Date>,
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
        text("result", |row| row.result.as_str().into()),
        text("date", |row| row.date.map(|date| date.to_string()).into()),
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
        word("result", |row| row.result.as_str().into()),
        word("date", |row| row.date.map(Date::known).into()),
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
    archive: &Archive,
    filter: &Filter,
    repertoire: &Repertoire,
    mut rows: Box<dyn ListWriter + '_>,
    watch: impl Fn(u64),
) -> Result<u64> {
    let mut games = 0;
    each_departure(archive, repertoire, filter, |summary, departure| {
        rows.row(&GameDeparture::new(repertoire, summary, departure))?;
        games += 1;
        watch(games);
        Ok::<_, PresentError>(())
    })?;
    rows.end()?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    #[test]
    fn a_score_is_the_rounded_percentage_of_the_side() {
        let counts = |[white, draws, black]: [u64; 3]| Results { white, draws, black, ..Results::default() };
        let of = |side, results| score(counts(results).of(side));
        assert_eq!(of(Color::White, [1, 0, 0]), Some(100));
        assert_eq!(of(Color::Black, [1, 1, 1]), Some(50));
        assert_eq!(of(Color::Black, [2, 0, 1]), Some(33));
        assert_eq!(of(Color::White, [2, 0, 1]), Some(67));
        assert_eq!(of(Color::White, [0, 0, 0]), None);
    }

    #[test]
    fn the_end_of_a_long_line_is_shown() {
        let line = "1. e4 c5 2. Nf3 d6";
        for (width, shown) in [
            (18, line),
            (17, "… e4 c5 2. Nf3 d6"),
            (16, "… c5 2. Nf3 d6"),
            (14, "… c5 2. Nf3 d6"),
            (13, "… 2. Nf3 d6"),
            (6, "… d6"),
            (2, "…"),
        ] {
            assert_eq!(end_of(line, width), shown, "{width}");
        }
    }
}
