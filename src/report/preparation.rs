//! Preparation for an opponent: what they play, and their names in the archive.

use std::ops::ControlFlow;

use serde::Serialize;

use super::{PlayerName, names_of};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::Color,
    query::{ExploredPosition, PositionIndex, Preparation, PrepareOptions},
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

/// The moves that the games of a player played from a position; `None` if it was cancelled. The parameters are the name
/// in the request, the colour, a filter for the games of the player, and one for those that reach the position. `watch`
/// receives the number of games replayed, which starts again at 0 for each part.
///
/// # Errors
/// An SQLite error, or the index is corrupt.
pub fn preparation_report(
    archive: &Archive,
    index: Option<&PositionIndex>,
    from: &ExploredPosition,
    (player, colour, [filter, of_position]): (&str, Color, [&Filter; 2]),
    options: PrepareOptions,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<PreparationReport>, ArchiveError> {
    let Some(preparation) = from.prepare(archive, index, (colour, filter), options, watch)? else {
        return Ok(None);
    };
    let (names, different_names) = names_of(archive, colour, of_position, NAMES)?;
    Ok(Some(PreparationReport { player: player.to_owned(), names, different_names, preparation }))
}
