//! Answers of an opening explorer, in the JSON form of the public ones. `docs/serve.md` lists the differences.

use std::collections::HashMap;

use serde::Serialize;

use super::Result;
use crate::{
    archive::{Archive, ArchiveError, Filter, SectionReader, Summary},
    chess::VariantPosition,
    query::{Book, BookGame, BookMove, BookOptions, Context, OpeningName, Results, book},
    record::GameId,
    rules::{Color, Rules},
};

/// A request.
#[derive(Clone, Debug)]
pub struct BookRequest {
    /// The line that leads to the position, which comes last. It has at least one position.
    pub line: Vec<VariantPosition>,
    /// The games to count.
    pub filter: Filter,
    /// Which of them count, and which are listed.
    pub options: BookOptions,
    /// The maximum number of moves.
    pub moves: usize,
    /// The first month of the history, if it precedes the first games: see [`Book::history`].
    pub since: Option<u32>,
}

/// The public explorer whose answers are imitated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Master games: the best games are listed.
    Masters,
    /// Games on a server: the latest ones too, with speed and mode.
    Server,
    /// Games of a player with this colour: the latest games are listed.
    Player(Color),
}

/// The answer for a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BookAnswer {
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// The moves, most games first.
    pub moves: Vec<MoveAnswer>,
    /// The games with the highest ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_games: Option<Vec<ListedGame>>,
    /// The latest games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recent_games: Option<Vec<ListedGame>>,
    /// The opening of the last named position of the line.
    pub opening: Option<OpeningName>,
    /// The number of games queued before these: always 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_position: Option<u32>,
    /// The games by months, without gaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<MonthAnswer>>,
}

/// The answer for a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveAnswer {
    /// The move in UCI notation; castling is king takes rook.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The mean rating of the players who made the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_rating: Option<i64>,
    /// For a player: the mean rating of the opponents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_opponent_rating: Option<i64>,
    /// For a player: the performance rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<i64>,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// The game, if the move was played in only one.
    pub game: Option<GameAnswer>,
    /// The opening named after the resulting position.
    pub opening: Option<OpeningName>,
}

/// The games of a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MonthAnswer {
    /// As `YYYY-MM`.
    pub month: String,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// What was played in a position; `None` for a line without positions. The watch receives the number of games scanned.
pub fn book_answer(
    context: Context<'_>,
    request: &BookRequest,
    dialect: Dialect,
) -> Result<Option<BookAnswer>> {
    let BookRequest { line, filter, options, moves, since } = request;
    let Some(position) = line.last() else { return Ok(None) };
    let book = book(context, position, filter, options)?;
    let has_modes = dialect != Dialect::Masters;
    // Without lists, the server explorer names no games.
    let names_games = dialect != Dialect::Server || options.top + options.recent > 0;
    let listed = &book.moves[..book.moves.len().min(*moves)];
    let only = listed.iter().filter_map(|m| m.only_game).filter(|_| names_games);
    let ids = book.top.iter().chain(&book.recent).map(|game| game.id).chain(only);
    let known = games(context.archive, ids, has_modes)?;
    let sum = |of: fn(&BookMove) -> u64| book.moves.iter().map(of).sum();
    let turn = Rules::turn(position);
    Ok(Some(BookAnswer {
        white: sum(|m| m.games.results.white),
        draws: sum(|m| m.games.results.draws),
        black: sum(|m| m.games.results.black),
        moves: listed.iter().map(|m| MoveAnswer::new(m, dialect, turn, &known)).collect(),
        top_games: (!matches!(dialect, Dialect::Player(_))).then(|| list(&book.top, &known)),
        recent_games: (dialect != Dialect::Masters).then(|| list(&book.recent, &known)),
        opening: OpeningName::of(line),
        queue_position: matches!(dialect, Dialect::Player(_)).then_some(0),
        history: options.history.then(|| history(&book, *since)),
    }))
}

fn list(listed: &[BookGame], known: &HashMap<GameId, GameAnswer>) -> Vec<ListedGame> {
    let row = |listed: &BookGame| {
        let game = known.get(&listed.id)?.clone();
        Some(ListedGame { uci: listed.uci.clone(), game })
    };
    listed.iter().filter_map(row).collect()
}

impl MoveAnswer {
    fn new(m: &BookMove, dialect: Dialect, turn: Color, known: &HashMap<GameId, GameAnswer>) -> MoveAnswer {
        let (average_rating, average_opponent_rating, performance) = match dialect {
            Dialect::Player(side) => (None, m.games.elo(!side).mean(), m.performance(side)),
            Dialect::Masters | Dialect::Server => (m.games.elo(turn).mean(), None, None),
        };
        MoveAnswer {
            uci: m.uci.clone(),
            san: m.san.clone(),
            average_rating,
            average_opponent_rating,
            performance,
            white: m.games.results.white,
            draws: m.games.results.draws,
            black: m.games.results.black,
            game: m.only_game.and_then(|id| known.get(&id)).cloned(),
            opening: m.opening.clone(),
        }
    }
}

/// Every month from the first with games, or from an earlier one, to the last with games.
fn history(book: &Book, since: Option<u32>) -> Vec<MonthAnswer> {
    let months = book.history.keys();
    let (Some(&first), Some(&last)) = (months.clone().next(), months.clone().next_back()) else {
        return Vec::new();
    };
    let first = since.map_or(first, |since| since.min(first));
    let month = |month: u32| {
        let Results { white, draws, black, .. } = book.history.get(&month).copied().unwrap_or_default();
        MonthAnswer { month: format!("{:04}-{:02}", month / 12, month % 12 + 1), white, draws, black }
    };
    (first..=last).map(month).collect()
}

/// A game listed in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameAnswer {
    /// See [`public_id`].
    pub id: String,
    /// `white` or `black`; `None` for a draw.
    pub winner: Option<&'static str>,
    /// The speed, if it is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<&'static str>,
    /// `rated` or `casual`, if it is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
    /// The player of the white pieces.
    pub white: PlayerAnswer,
    /// The player of the black pieces.
    pub black: PlayerAnswer,
    /// The year; 0 if it is unknown.
    pub year: u32,
    /// The month, as `YYYY-MM`.
    pub month: Option<String>,
}

/// A player in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerAnswer {
    /// The name; `?` if it is unknown.
    pub name: String,
    /// The rating; 0 if it is unknown.
    pub rating: u64,
}

/// A game in a list, with the move played in the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedGame {
    /// The move in UCI notation; castling is king takes rook.
    pub uci: String,
    /// The game.
    #[serde(flatten)]
    pub game: GameAnswer,
}

/// Looks up games, with speed and mode if `modes` is set.
fn games(
    archive: &Archive,
    ids: impl IntoIterator<Item = GameId>,
    modes: bool,
) -> Result<HashMap<GameId, GameAnswer>, ArchiveError> {
    let among = Some(ids.into_iter().collect());
    let (mut reader, mut games) = (SectionReader::default(), HashMap::new());
    for summary in archive.list::<Summary>(&Filter { among, ..Filter::default() }) {
        let summary = summary?;
        let facts = if modes { reader.facts_of_game(archive, summary.id)? } else { None };
        let mut game = GameAnswer::new(&summary);
        if let Some(facts) = facts {
            game.speed = Some(facts.speed.name());
            game.mode = Some(if facts.is_casual { "casual" } else { "rated" });
        }
        games.insert(summary.id, game);
    }
    Ok(games)
}

impl GameAnswer {
    fn new(game: &Summary) -> GameAnswer {
        let date = game.date.unwrap_or_default();
        GameAnswer {
            id: public_id(game.id),
            winner: game.result.winner().map(|side| side.fold_wb("white", "black")),
            speed: None,
            mode: None,
            white: PlayerAnswer::new(&game.white, game.white_elo),
            black: PlayerAnswer::new(&game.black, game.black_elo),
            year: date.year().unwrap_or(0).into(),
            month: date.year_text().zip(date.month()).map(|(year, month)| format!("{year}-{month:02}")),
        }
    }
}

impl PlayerAnswer {
    fn new(name: &Option<String>, rating: Option<i64>) -> PlayerAnswer {
        PlayerAnswer {
            name: name.as_deref().filter(|name| !name.is_empty()).unwrap_or("?").to_owned(),
            rating: rating.and_then(|rating| rating.try_into().ok()).unwrap_or(0),
        }
    }
}

// Game ids as eight letters and digits are the form that clients of explorers expect.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Digits of an id.
const WIDTH: usize = 8;

/// The id of a game in base 62, padded with zeros. Ids from 62⁸ on, which no archive reaches, wrap around.
pub fn public_id(id: GameId) -> String {
    let mut rest = id.unsigned_abs();
    let mut digits = [b'0'; WIDTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

/// The id that a text stands for; `None` if it is invalid.
pub fn read_public_id(text: &str) -> Option<GameId> {
    if text.len() != WIDTH {
        return None;
    }
    text.bytes().try_fold(0, |id: GameId, digit| {
        let place = DIGITS.iter().position(|known| *known == digit)?;
        Some(id * 62 + place as GameId)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_a_round_trip() {
        for (id, text) in [
            (0, "00000000"),
            (1, "00000001"),
            (61, "0000000z"),
            (62, "00000010"),
            (297_156, "00001FIq"),
            (62_i64.pow(8) - 1, "zzzzzzzz"),
        ] {
            assert_eq!((public_id(id).as_str(), read_public_id(text)), (text, Some(id)));
        }
        for text in ["", "1", "0000000", "000000000", "0000000-", "0000000é", "000000é", "0000 000"] {
            assert_eq!(read_public_id(text), None, "{text:?}");
        }
    }
}
