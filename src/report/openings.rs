//! The openings of games, and their families.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde::Serialize;

use super::results::{Tallied, ranked};
use crate::openings::{Opening, OpeningId, Openings};

/// The openings with the most games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MostPlayed<T> {
    /// The number of families.
    pub different_families: u64,
    /// The families with the most games.
    pub families: Vec<PlayedFamily<T>>,
    /// The number of openings.
    pub different: u64,
    /// The openings with the most games.
    pub most_played: Vec<PlayedOpening<T>>,
}

/// All openings whose names are the same up to the colon: `Sicilian Defense`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedFamily<T> {
    /// The name; `None` for games without a named position.
    pub family: Option<&'static str>,
    /// The results of these games.
    #[serde(flatten)]
    pub results: T,
}

/// An opening, by the last named position of each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedOpening<T> {
    /// The ECO code; `None` for games without a named position.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: T,
}

/// Games by their openings.
#[derive(Debug, Default)]
pub(super) struct OpeningTallies<T> {
    families: HashMap<Option<&'static str>, T, RandomState>,
    openings: HashMap<Option<OpeningId>, T, RandomState>,
}

impl<T: Tallied> OpeningTallies<T> {
    /// Adds games of an opening.
    pub(super) fn add(&mut self, opening: Option<OpeningId>, add: impl Fn(&mut T)) {
        add(self.openings.entry(opening).or_default());
        add(self.families.entry(named(opening).map(family)).or_default());
    }

    /// Those with the most games. Equal openings are in the order of the table, equal families in the order of names;
    /// games without a named position come last among equals.
    pub(super) fn most_played(self, most: usize) -> MostPlayed<T::Answer> {
        let (families, openings) = (ranked(self.families), ranked(self.openings));
        let of_family = |(family, tally): &(_, T)| PlayedFamily { family: *family, results: tally.answer() };
        let of_opening = |(id, tally): &(_, T)| {
            let opening = named(*id);
            PlayedOpening {
                eco: opening.map(|opening| opening.eco),
                opening: opening.map(|opening| opening.name),
                results: tally.answer(),
            }
        };
        MostPlayed {
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
