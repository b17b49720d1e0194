//! The games listed in an answer.

use std::collections::HashMap;

use serde::Serialize;

use crate::{
    archive::{Archive, ArchiveError, Filter, SectionReader, Summary},
    chess::Date,
    record::GameId,
};

use super::public_id;

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
pub(super) fn games(
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
        let packed = game.date.as_deref().and_then(Date::parse).map_or(0, Date::packed);
        let (year, month) = (packed >> 9, packed >> 5 & 15);
        GameAnswer {
            id: public_id(game.id),
            winner: match game.result {
                "1-0" => Some("white"),
                "0-1" => Some("black"),
                _ => None,
            },
            speed: None,
            mode: None,
            white: PlayerAnswer::new(&game.white, game.white_elo),
            black: PlayerAnswer::new(&game.black, game.black_elo),
            year,
            month: (year > 0 && month > 0).then(|| format!("{year:04}-{month:02}")),
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
