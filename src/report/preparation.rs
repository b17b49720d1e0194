//! A player to prepare for: what they play, and under which names.

use std::ops::ControlFlow;

use serde::Serialize;

use super::{PlayerName, names_of};
use crate::{
    archive::{Archive, ArchiveError, Filter},
    chess::Color,
    query::{ExploredPosition, PositionIndex, Preparation, PrepareOptions},
};

/// The names that are listed at most.
const NAMES: usize = 10;

/// What a player plays with one colour, and under which names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreparationReport {
    /// The name that was asked for.
    pub player: String,
    /// The names that it stands for, most games first, at most ten; with the games of each that come to the position.
    pub names: Vec<PlayerName>,
    /// How many names there are.
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

/// What the games of a player went on with from a position; `None` if it was broken off. Given are the name that was asked
/// for, the colour, a filter for the games of the player, and one for those that come to the position. `watch` gets the
/// number of games that have been replayed, which begins at 0 again for each part of the answer.
///
/// # Errors
/// SQLite's, or the index is damaged.
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
