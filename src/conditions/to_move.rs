//! The side to move.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::{colour::sides, pattern::side};

pub(super) const CONDITION: Condition = Condition {
    value: "SIDE",
    place: FormSection::Board,
    offers: sides,
    ..Condition::new(
        "to_move",
        ValueType::Word,
        Heading::Positions,
        "Side to move in the position with the material or pattern",
        ["Side to move", "Am Zug"],
        |given, draft| {
            draft.positions.turn = Some(side(given.text())?);
            Ok(())
        },
    )
};
