//! A game that is checked for a novelty.

use serde::Serialize;

use crate::{
    archive::Summary,
    chess::{Date, Tags},
    pgn::Game,
    query::ComparedGame,
    record::{GameError, GameId, StoredMoves},
};

/// A game, with its data for a list.
#[derive(Clone, Debug)]
pub struct RequestedGame {
    /// What its tags say.
    pub head: GameHead,
    /// Its moves and positions.
    pub game: ComparedGame,
}

/// A game in a list, from an archive or not. Missing tags are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameHead {
    /// Its id, if it is in the archive.
    pub id: Option<GameId>,
    /// Otherwise the file it was read from, and its number there, separated by a colon.
    pub source: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result, as written in PGN.
    pub result: &'static str,
    /// The date, as written in PGN.
    pub date: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The number of plies.
    pub plies: usize,
}

impl RequestedGame {
    /// A game from an archive.
    ///
    /// # Errors
    /// It is damaged.
    pub fn of_archive(summary: Summary, moves: &StoredMoves) -> Result<RequestedGame, GameError> {
        let date = summary.date.as_deref().and_then(Date::parse);
        let game = ComparedGame::of_stored(moves, date)?;
        let Summary { id, white, black, result, date, event, .. } = summary;
        let head = GameHead {
            id: Some(id),
            source: None,
            white,
            black,
            result,
            date,
            event,
            plies: game.moves.len(),
        };
        Ok(RequestedGame { head, game })
    }

    /// A game read from a source: see [`GameHead::source`].
    pub fn of_pgn(source: String, game: &Game) -> RequestedGame {
        let date = tag(&game.tags, "Date");
        let compared = ComparedGame::of_moves(
            game.variant,
            game.start(),
            &game.moves,
            date.as_deref().and_then(Date::parse),
        );
        let head = GameHead {
            id: None,
            source: Some(source),
            white: tag(&game.tags, "White"),
            black: tag(&game.tags, "Black"),
            result: game.outcome.as_str(),
            date,
            event: tag(&game.tags, "Event"),
            plies: game.moves.len(),
        };
        RequestedGame { head, game: compared }
    }
}

/// The value of a tag, unless it is empty or unknown.
fn tag(tags: &Tags, name: &str) -> Option<String> {
    tags.get(name).filter(|value| !matches!(*value, "" | "?")).map(str::to_owned)
}
