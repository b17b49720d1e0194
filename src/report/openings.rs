//! The openings that one side played, and their families.

use std::{cmp::Reverse, collections::HashMap};

use serde::Serialize;

use super::results::{Score, ScoreTally};
use crate::{
    openings::{Opening, OpeningId, Openings},
    record::GameMetadata,
    rules::Color,
};

/// The openings of one colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningScores {
    /// The number of families.
    pub different_families: u64,
    /// The families with the most games.
    pub families: Vec<FamilyScore>,
    /// The number of openings.
    pub different: u64,
    /// The openings with the most games.
    pub most_played: Vec<OpeningScore>,
}

/// All openings whose names are the same up to the colon: `Sicilian Defense`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyScore {
    /// The name; `None` for games without a named position.
    pub family: Option<&'static str>,
    /// The player's results in these games.
    #[serde(flatten)]
    pub score: Score,
}

/// An opening, by the last named position of each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningScore {
    /// The ECO code; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The player's results in its games.
    #[serde(flatten)]
    pub score: Score,
}

/// Games by their openings.
#[derive(Debug, Default)]
pub(super) struct OpeningTallies {
    families: HashMap<Option<&'static str>, ScoreTally>,
    openings: HashMap<Option<OpeningId>, ScoreTally>,
}

impl OpeningTallies {
    /// Adds a game of a side.
    pub(super) fn add(&mut self, opening: Option<OpeningId>, game: &GameMetadata, side: Color) {
        self.openings.entry(opening).or_default().add(game, side);
        self.families.entry(named(opening).map(family)).or_default().add(game, side);
    }

    /// Those with the most games. Equal openings are in the order of the table, equal families in the order of names;
    /// games without a named position come last among equals.
    pub(super) fn scores(self, most: usize) -> OpeningScores {
        let mut families: Vec<_> = self.families.into_iter().collect();
        families.sort_unstable_by_key(|(name, tally)| (Reverse(tally.games()), name.is_none(), *name));
        let mut openings: Vec<_> = self.openings.into_iter().collect();
        openings.sort_unstable_by_key(|(id, tally)| (Reverse(tally.games()), id.is_none(), *id));
        let of_family = |&(family, tally): &(_, ScoreTally)| FamilyScore { family, score: tally.score() };
        let of_opening = |&(id, tally): &(_, ScoreTally)| {
            let opening = named(id);
            OpeningScore {
                eco: opening.map(|opening| opening.eco),
                opening: opening.map(|opening| opening.name),
                score: tally.score(),
            }
        };
        OpeningScores {
            different_families: families.len() as u64,
            families: families.iter().take(most).map(of_family).collect(),
            different: openings.len() as u64,
            most_played: openings.iter().take(most).map(of_opening).collect(),
        }
    }
}

/// The opening in the table.
pub(super) fn named(id: Option<OpeningId>) -> Option<&'static Opening> {
    id.and_then(|id| Openings::standard().get(id))
}

/// The family of an opening: its name up to the colon.
pub(super) fn family(opening: &'static Opening) -> &'static str {
    opening.name.split(':').next().unwrap_or(opening.name)
}
