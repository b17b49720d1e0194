//! A game of which it is asked where it leaves the others.

use serde::Serialize;

use crate::{
    archive::Summary,
    chess::{Date, Tags},
    pgn::Game,
    query::ComparedGame,
    record::{GameError, GameId, StoredMoves},
};

/// A game, and what a list says of it.
#[derive(Clone, Debug)]
pub struct AskedGame {
    /// What its tags say.
    pub head: GameHead,
    /// Its moves and positions.
    pub game: ComparedGame,
}

/// What a list says of a game, of an archive or not. Missing tags are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameHead {
    /// Its number in the archive, if it is one of that.
    pub id: Option<GameId>,
    /// Else the file it was read from, and its number there, with a colon between.
    pub source: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The result, as PGN writes it.
    pub result: &'static str,
    /// The date, as PGN writes it.
    pub date: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The number of plies.
    pub plies: usize,
}

impl AskedGame {
    /// A game of an archive.
    ///
    /// # Errors
    /// It is damaged.
    pub fn of_archive(summary: Summary, moves: &StoredMoves) -> Result<AskedGame, GameError> {
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
        Ok(AskedGame { head, game })
    }

    /// A game that was read from a source: see [`GameHead::source`].
    pub fn of_pgn(source: String, game: &Game) -> AskedGame {
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
        AskedGame { head, game: compared }
    }
}

/// What a tag says, if it says something.
fn tag(tags: &Tags, name: &str) -> Option<String> {
    tags.get(name).filter(|value| !matches!(*value, "" | "?")).map(str::to_owned)
}
