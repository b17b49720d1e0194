//! The novelties of games: the games that are compared, and the list, written meanwhile.

use std::{io::Write, ops::ControlFlow};

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Fen};

use super::{
    Result,
    list::{Head, ListFormat, ListOptions, ListWriter, Row},
};
use crate::{
    archive::Summary,
    chess::{Date, Position, SanPlus},
    columns::{Cell, ColumnOf, number, text, word},
    counts::{GAMES, Noun},
    openings::Openings,
    pgn::Game,
    query::{Compared, ComparedGame, Explorer, NoveltyOptions, NoveltyQueue},
    record::{GameError, GameId, StoredMoves, as_optional_text, as_text},
    rules::Outcome,
};

/// A game, with its data for a list.
#[derive(Clone, Debug)]
pub struct RequestedGame {
    /// What its tags say.
    pub head: GameHead,
    /// Its moves and positions.
    pub game: ComparedGame,
}

/// What is said of a game in a list. Missing tags are `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameTags {
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
    /// The event.
    pub event: Option<String>,
}

impl From<Summary> for GameTags {
    fn from(summary: Summary) -> GameTags {
        let Summary { white, black, result, date, event, .. } = summary;
        GameTags { white, black, result, date, event }
    }
}

/// A game in a list, from an archive or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameHead {
    /// Its id, if it is in the archive.
    pub id: Option<GameId>,
    /// Otherwise the file it was read from, and its number there, separated by a colon.
    pub source: Option<String>,
    /// What its tags say.
    #[serde(flatten)]
    pub tags: GameTags,
    /// The number of plies.
    pub plies: usize,
}

impl RequestedGame {
    /// A game from an archive.
    ///
    /// # Errors
    /// It is damaged.
    pub fn of_archive(summary: Summary, moves: &StoredMoves) -> Result<RequestedGame, GameError> {
        let game = ComparedGame::of_stored(moves, summary.date)?;
        let (id, plies) = (Some(summary.id), game.moves.len());
        let head = GameHead { id, source: None, tags: summary.into(), plies };
        Ok(RequestedGame { head, game })
    }

    /// A game read from a source: see [`GameHead::source`].
    pub fn of_pgn(source: String, game: &Game) -> RequestedGame {
        let tag =
            |name: &str| game.tags.get(name).filter(|value| !matches!(*value, "" | "?")).map(str::to_owned);
        let (result, date) = (game.outcome, game.tags.date());
        let tags = GameTags { white: tag("White"), black: tag("Black"), result, date, event: tag("Event") };
        let compared = ComparedGame::of_moves(game.variant, game.start(), &game.moves, date);
        let head = GameHead { id: None, source: Some(source), tags, plies: game.moves.len() };
        RequestedGame { head, game: compared }
    }
}

/// A game counts once more for each of these plies, which bounds the memory of long games too.
const PLIES: usize = 256;

/// Writes a list of the novelties in games.
pub struct NoveltyList<'a> {
    games: NoveltyQueue<'a, GameHead>,
    rows: Box<dyn ListWriter + 'a>,
    watch: Box<dyn Fn(u64) -> ControlFlow<()> + Sync + 'a>,
}

impl<'a> NoveltyList<'a> {
    /// Begins a list. `watch` receives the number of games compared so far, and may stop.
    pub fn new(
        explorer: &'a Explorer,
        options: NoveltyOptions,
        format: &'a ListFormat,
        list: ListOptions,
        out: &'a mut dyn Write,
        watch: impl Fn(u64) -> ControlFlow<()> + Sync + 'a,
    ) -> Result<NoveltyList<'a>> {
        let games = NoveltyQueue::new(explorer, options).in_few_portions()?;
        let rows = format.begin(out, Head::of::<NoveltyRow>(), list);
        Ok(NoveltyList { games, rows, watch: Box::new(watch) })
    }

    /// Adds a game, and writes the collected games once there are enough of them.
    ///
    /// # Errors
    /// An SQLite error, the index is corrupt, or the list cannot be written.
    pub fn add(&mut self, game: RequestedGame) -> Result<()> {
        let RequestedGame { head, game } = game;
        let more = head.plies / PLIES;
        if self.games.add(game, head, more) { self.write() } else { Ok(()) }
    }

    /// Writes the collected games.
    fn write(&mut self) -> Result<()> {
        let rows = &mut self.rows;
        self.games.compare(&*self.watch, |compared| Ok(rows.row(&NoveltyRow::new(compared))?))
    }

    /// Ends the list. Returns the number of its games.
    ///
    /// # Errors
    /// An SQLite error, the index is corrupt, or the list cannot be written.
    pub fn end(mut self) -> Result<u64> {
        self.write()?;
        self.rows.end()?;
        Ok(self.games.done())
    }
}

/// The novelty of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoveltyRow {
    /// The game.
    #[serde(flatten)]
    pub game: GameHead,
    /// The ply of the new move, 1 for the first move of the game; `None` if every position is known.
    pub ply: Option<usize>,
    /// This move with its number, for example `12...Nd7`.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// The position before it, or the last one if there is none.
    pub fen: String,
    /// How many other games reach that position.
    pub known_games: u64,
    /// The best of them.
    pub known: Vec<KnownGame>,
    /// The ECO code of the opening: that of the last named position of the game.
    pub opening_eco: Option<&'static str>,
    /// The name of that position.
    pub opening: Option<&'static str>,
}

/// An earlier game with the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownGame {
    /// Its id in the archive.
    pub id: GameId,
    /// What its tags say.
    #[serde(flatten)]
    pub tags: GameTags,
    /// White's rating.
    pub white_elo: Option<i64>,
    /// Black's rating.
    pub black_elo: Option<i64>,
}

impl KnownGame {
    pub(in crate::present) fn of(summary: &Summary) -> KnownGame {
        let Summary { id, white_elo, black_elo, .. } = *summary;
        KnownGame { id, tags: summary.clone().into(), white_elo, black_elo }
    }

    /// The game as books cite it: players, event and year, as far as they are known.
    pub fn reference(&self) -> String {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        let mut text = format!("{} - {}", name(&self.tags.white), name(&self.tags.black));
        let year = self.tags.date.and_then(Date::year_text);
        let event = self.tags.event.as_deref().filter(|event| !matches!(*event, "" | "?"));
        match (event, year.as_deref()) {
            (Some(event), Some(year)) if event.contains(year) => text += &format!(", {event}"),
            (event, year) => {
                let rest: Vec<&str> = event.into_iter().chain(year).collect();
                if !rest.is_empty() {
                    text += &format!(", {}", rest.join(" "));
                }
            }
        }
        text
    }
}

impl NoveltyRow {
    fn new(compared: Compared<'_, GameHead>) -> NoveltyRow {
        let Compared { game, with: head, novelty, known } = compared;
        let before = novelty.ply.map_or(game.moves.len(), |ply| ply - 1);
        let position = game.position(before);
        let played = novelty.ply.and_then(|_| game.moves.get(before));
        let (number, dots) = (position.fullmoves(), position.turn().fold_wb(".", "..."));
        let opening = game.opening.and_then(|(_, id)| Openings::standard().get(id));
        NoveltyRow {
            game: head,
            ply: novelty.ply,
            played: played.map(|&m| format!("{number}{dots}{}", SanPlus::from_move(position.clone(), m))),
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            known_games: novelty.games,
            known: known.into_iter().map(KnownGame::of).collect(),
            opening_eco: opening.map(|opening| opening.eco),
            opening: opening.map(|opening| opening.name),
        }
    }
}

impl Row for NoveltyRow {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.game.id.into()),
        text("source", |row| row.game.source.clone().into()),
        text("white", |row| row.game.tags.white.clone().into()),
        text("black", |row| row.game.tags.black.clone().into()),
        text("result", |row| row.game.tags.result.as_str().into()),
        text("date", |row| row.game.tags.date.map(|date| date.to_string()).into()),
        text("event", |row| row.game.tags.event.clone().into()),
        number("plies", |row| row.game.plies.into()),
        number("ply", |row| row.ply.into()),
        text("move", |row| row.played.clone().into()),
        text("fen", |row| row.fen.as_str().into()),
        number("known_games", |row| row.known_games.into()),
        text("known", |row| Cell::joined(row.known.iter().map(|game| game.id), " ")),
        text("opening_eco", |row| row.opening_eco.into()),
        text("opening", |row| row.opening.into()),
    ];
    const SHOWN: &'static [ColumnOf<Self>] = &[
        number("id", |row| row.game.id.map_or_else(|| row.game.source.clone().into(), Cell::from)),
        text("white", |row| row.game.tags.white.clone().into()),
        text("black", |row| row.game.tags.black.clone().into()),
        word("date", |row| row.game.tags.date.map(Date::known).into()),
        word("new", |row| row.played.as_deref().unwrap_or("-").into()),
        number("known", |row| row.known_games.into()),
        text("opening", |row| {
            row.opening_eco.zip(row.opening).map(|(eco, name)| format!("{eco} {name}")).into()
        }),
        text("as in", |row| {
            Cell::joined(row.known.iter().map(|game| format!("{} ({})", game.reference(), game.id)), "; ")
        }),
    ];
    const NOUN: Option<Noun> = Some(GAMES);
    const ONE_LINE: bool = true;
}
