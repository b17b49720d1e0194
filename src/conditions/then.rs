//! A pattern that follows.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    value: "RANKS",
    hint: "*/*/*/???P*/*/*/*/*",
    place: FormSection::Course,
    ..Condition::new(
        "then",
        ValueType::Texts,
        Heading::Positions,
        "Pattern that occurs later in the game; several must occur in this order",
        ["Followed by this pattern", "Danach dieses Muster"],
        |given, draft| {
            draft.positions.then = given.values.to_vec();
            Ok(())
        },
    )
};
