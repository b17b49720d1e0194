//! The score of a player in some games.

use std::collections::HashSet;

use super::{
    player::Player,
    score::{Score, ScoreTally},
};
use crate::{
    archive::{Archive, ArchiveError, Filter, GameSet, PlayedGame},
    rules::Color,
};

/// The score of a player in a set of games. A game between two players whose names both match counts for both.
///
/// # Errors
/// An SQLite error.
pub fn player_score(archive: &Archive, player: &Player, games: GameSet) -> Result<Score, ArchiveError> {
    let own = archive.names().players(&player.name)?;
    let own: HashSet<Option<i64>> = own.into_iter().map(Some).collect();
    let mut tally = ScoreTally::default();
    for game in archive.list::<PlayedGame>(&Filter { among: Some(games), ..Filter::default() }) {
        let game = game?;
        for side in Color::ALL.into_iter().filter(|side| player.colour.is_none_or(|only| only == *side)) {
            if own.contains(&side.fold_wb(game.white, game.black)) {
                tally.add(&game.facts, side);
            }
        }
    }
    Ok(tally.score())
}
