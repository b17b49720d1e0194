//! A pattern that never occurs.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    value: "RANKS",
    hint: "*/*/*/*/*/*/*/???[^Q]*",
    place: Place::Course,
    ..Condition::new(
        "not_pattern",
        Kind::Texts,
        Heading::Positions,
        "Pattern that never occurs in the game",
        ["Never this pattern", "Nie dieses Muster"],
        |given, draft| {
            draft.positions.never = given.values.to_vec();
            Ok(())
        },
    )
};
