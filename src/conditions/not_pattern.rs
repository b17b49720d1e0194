//! A pattern that never occurs.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    value: "RANKS",
    hint: "*/*/*/*/*/*/*/???[^Q]*",
    place: FormSection::Course,
    ..Condition::new(
        "not_pattern",
        ValueType::Texts,
        Heading::Positions,
        "Pattern that never occurs in the game",
        ["Never this pattern", "Nie dieses Muster"],
        |given, draft| {
            draft.positions.never = given.values.to_vec();
            Ok(())
        },
    )
};
