//! The colour of the player.

use super::FilterText;
use super::condition::{Choice, Condition, FormSection, Heading, ValueType};
use crate::{chess::Color, request::RequestError};

pub(super) const CONDITION: Condition = Condition {
    alias: "color",
    value: "COLOUR",
    place: FormSection::Games,
    needs: "player",
    offers: sides,
    ..Condition::new(
        "colour",
        ValueType::Word,
        Heading::Players,
        "Colour of --player",
        ["Colour of the player", "Farbe des Spielers"],
        |given, _| colour(given.text()).map(drop),
    )
};

/// The colours.
pub(super) fn sides() -> Vec<Choice> {
    vec![
        Choice { value: "white", label: ["White", "Weiß"] },
        Choice { value: "black", label: ["Black", "Schwarz"] },
    ]
}

/// Parses a colour.
pub(super) fn colour(text: &str) -> Result<Color, RequestError> {
    text.parse().map_err(|_| RequestError::Colour(text.to_owned()))
}

/// The requested colour.
pub(super) fn colour_of(text: &FilterText) -> Result<Option<Color>, RequestError> {
    text.get("colour").map(colour).transpose()
}
