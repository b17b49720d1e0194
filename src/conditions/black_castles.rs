//! The side on which Black castles.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::white_castles::{ask, ways};
use crate::chess::Color;

pub(super) const CONDITION: Condition = Condition {
    value: "SIDE",
    place: FormSection::Course,
    offers: ways,
    ..Condition::new(
        "black_castles",
        ValueType::Word,
        Heading::Course,
        "Side on which Black castles; no means never",
        ["Black castles", "Schwarz rochiert"],
        |given, draft| ask(given, draft, Color::Black),
    )
};
