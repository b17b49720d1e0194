//! Never this pattern.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    value: "RANKS",
    hint: "*/*/*/*/*/*/*/???[^Q]*",
    place: Place::Course,
    ..Condition::new(
        "not_pattern",
        Kind::Texts,
        Heading::Positions,
        "A pattern that is never on the board",
        ["Never this pattern", "Nie dieses Muster"],
        |given, draft| {
            draft.positions.never = given.values.to_vec();
            Ok(())
        },
    )
};
