//! How many plies later a pattern comes.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    value: "N",
    hint: "10",
    place: Place::Course,
    ..Condition::new(
        "within",
        Kind::Numbers,
        Heading::Positions,
        "It comes at most N plies after the one before; once for all, or once for each --then",
        ["Within this many plies", "Binnen so vieler Halbzüge"],
        |given, draft| {
            let number = |text: &String| text.parse().unwrap_or(usize::MAX);
            draft.positions.within = given.values.iter().map(number).collect();
            Ok(())
        },
    )
};
