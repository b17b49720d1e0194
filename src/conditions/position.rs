//! A position that the game reaches.

use super::condition::{Condition, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    value: "POSITION",
    ..Condition::new(
        "position",
        ValueType::Text,
        Heading::Positions,
        "Position that the game reaches: a FEN, moves ('1. e4 c5'), GAME:PLY, or the name of an opening",
        ["Position", "Stellung"],
        |given, draft| {
            draft.position = Some(given.text().parse()?);
            Ok(())
        },
    )
};
