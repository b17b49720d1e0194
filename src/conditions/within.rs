//! The distance between consecutive patterns.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    value: "N",
    hint: "10",
    place: FormSection::Course,
    ..Condition::new(
        "within",
        ValueType::Numbers,
        Heading::Positions,
        "Match within N plies of the previous pattern; give it once for all patterns, or once per --then",
        ["Within N plies", "Innerhalb von N Halbzügen"],
        |given, draft| {
            let number = |text: &String| text.parse().unwrap_or(usize::MAX);
            draft.positions.within = given.values.iter().map(number).collect();
            Ok(())
        },
    )
};
