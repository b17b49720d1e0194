//! Preparation for an opponent: what they play, and their names in the archive.

use serde::Serialize;

use super::{PlayerName, names_of};
use crate::{
    archive::{Filter, Result},
    chess::Color,
    query::{Context, ExploredPosition, Preparation, PrepareOptions},
};

/// The maximum number of names.
const NAMES: usize = 10;

/// What a player plays with one colour, and the player's names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreparationReport {
    /// The name in the request.
    pub player: String,
    /// The matching names, most games first, at most ten, each with its games that reach the position.
    pub names: Vec<PlayerName>,
    /// The number of matching names.
    pub different_names: u64,
    /// What was played.
    #[serde(flatten)]
    pub preparation: Preparation,
}

impl PreparationReport {
    /// The colour of the player.
    pub fn side(&self) -> Color {
        Color::from_white(self.preparation.colour == "white")
    }
}

/// A player whose games are prepared for.
#[derive(Clone, Copy, Debug)]
pub struct PreparedPlayer<'a> {
    /// The name in the request.
    pub name: &'a str,
    /// The games of the player with the colour of the preparation.
    pub games: &'a Filter,
    /// Those that reach the position.
    pub of_position: &'a Filter,
}

/// The moves that the games of a player played from a position. The watch receives the number of games replayed, which
/// starts again at 0 for each part.
pub fn preparation_report(
    context: Context<'_>,
    from: &ExploredPosition,
    player: PreparedPlayer<'_>,
    options: PrepareOptions,
) -> Result<PreparationReport> {
    let preparation = from.prepare(context, player.games, options)?;
    let (names, different_names) = names_of(context.archive, options.colour, player.of_position, NAMES)?;
    Ok(PreparationReport { player: player.name.to_owned(), names, different_names, preparation })
}
