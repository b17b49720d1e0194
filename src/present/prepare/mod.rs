//! What a player plays, beside what all games do: as data, as text and as a picture.

mod markdown;
mod picture;
mod text;

use serde::Serialize;

use super::PresentError;
use crate::{
    archive::{Archive, Filter},
    chess::Color,
    printable,
    query::{Preparation, PreparedMove},
    report::{PlayerName, names_of},
};

/// The names that are listed at most.
const NAMES: usize = 10;

/// What a player plays with one colour, and under which names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreparationAnswer {
    /// The name that was asked for.
    pub player: String,
    /// The names that it stands for, most games first, at most ten; with the games of each that pass the filter, from
    /// whatever position.
    pub names: Vec<PlayerName>,
    /// How many names there are.
    pub different_names: u64,
    /// What was played.
    #[serde(flatten)]
    pub told: Preparation,
}

impl PreparationAnswer {
    /// An answer about a player, whose games of the colour pass the filter.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn new(
        archive: &Archive,
        (player, filter): (&str, &Filter),
        told: Preparation,
    ) -> Result<PreparationAnswer, PresentError> {
        let side = Color::from_white(told.colour == "white");
        let (names, different_names) = names_of(archive, side, filter, NAMES)?;
        Ok(PreparationAnswer { player: player.to_owned(), names, different_names, told })
    }

    /// The colour of the player.
    fn side(&self) -> Color {
        Color::from_white(self.told.colour == "white")
    }

    /// Whose games they are: the name as games have it, if there is but one.
    fn heading(&self) -> String {
        let name = match self.names.as_slice() {
            [only] => &only.name,
            _ => &self.player,
        };
        format!("{} with {}", printable::line(name), self.side().fold_wb("White", "Black"))
    }

    /// The games that the player won, drew and lost with a move.
    fn score(&self, line: &PreparedMove) -> [u64; 3] {
        line.played.results.of(self.side())
    }
}
