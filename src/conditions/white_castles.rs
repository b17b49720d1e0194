//! The side on which White castles.

use super::condition::{Choice, Condition, FormSection, Given, Heading, Label, ValueType};
use super::draft::Draft;
use crate::{chess::Color, query::CourseTest, request::RequestError, trail::Castled};

pub(super) const CONDITION: Condition = Condition {
    value: "SIDE",
    place: FormSection::Course,
    offers: ways,
    ..Condition::new(
        "white_castles",
        ValueType::Word,
        Heading::Course,
        "Side on which White castles; no means never",
        ["White castles", "Weiß rochiert"],
        |given, draft| ask(given, draft, Color::White),
    )
};

const WAYS: [(&str, Castled, Label); 3] = [
    ("short", Castled::Short, ["short", "kurz"]),
    ("long", Castled::Long, ["long", "lang"]),
    ("no", Castled::No, ["not", "nicht"]),
];

/// The ways of castling.
pub(super) fn ways() -> Vec<Choice> {
    WAYS.map(|(value, _, label)| Choice { value, label }).to_vec()
}

/// Requires a way of castling.
pub(super) fn ask(given: &Given<'_>, draft: &mut Draft, color: Color) -> Result<(), RequestError> {
    let wanted = given.word("value for castling", &WAYS.map(|(name, way, _)| (name, way)))?;
    draft.course.add(CourseTest::facts(move |facts| facts.castled(color) == wanted));
    Ok(())
}
