//! The openings that one side played: families, and the openings themselves.

use std::{cmp::Reverse, collections::HashMap};

use serde::Serialize;

use super::score::{Score, ScoreTally};
use crate::{
    openings::{Opening, OpeningId, Openings},
    record::GameFacts,
    rules::Color,
};

/// The openings of one colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningScores {
    /// How many families there are.
    pub different_families: u64,
    /// Families, most games first: so many of them as lines were asked for.
    pub families: Vec<FamilyScore>,
    /// How many openings there are.
    pub different: u64,
    /// Openings, most games first: so many of them as lines were asked for.
    pub most_played: Vec<OpeningScore>,
}

/// All openings whose names are the same up to the colon: `Sicilian Defense`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyScore {
    /// Their name; `None` for games without a named position.
    pub family: Option<&'static str>,
    /// How these games ended for the player.
    #[serde(flatten)]
    pub score: Score,
}

/// An opening, by the last position of each game that has a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningScore {
    /// Its code; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// How its games ended for the player.
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
    pub(super) fn add(&mut self, opening: Option<OpeningId>, game: &GameFacts, side: Color) {
        self.openings.entry(opening).or_default().add(game, side);
        self.families.entry(named(opening).map(family)).or_default().add(game, side);
    }

    /// Those with most games. Of equal openings the first in the table, of equal families the first by name; games without
    /// a named position come after equal ones.
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

/// The opening of the table.
pub(super) fn named(id: Option<OpeningId>) -> Option<&'static Opening> {
    id.and_then(|id| Openings::standard().get(id))
}

/// The family of an opening: its name up to the colon.
pub(super) fn family(opening: &'static Opening) -> &'static str {
    opening.name.split(':').next().unwrap_or(opening.name)
}
