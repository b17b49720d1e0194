//! How long a condition on positions must hold.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    value: "N",
    hint: "10",
    place: FormSection::Course,
    ..Condition::new(
        "min_plies",
        ValueType::Number,
        Heading::Positions,
        "The material or pattern stays on the board for at least N plies in a row, that is, N + 1 positions [default: one position]",
        ["For at least N plies", "Mindestens N Halbzüge lang"],
        |given, draft| {
            draft.positions.min_plies = Some(given.number());
            Ok(())
        },
    )
};
