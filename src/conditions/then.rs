//! Then this pattern.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    value: "RANKS",
    hint: "*/*/*/???P*/*/*/*/*",
    place: Place::Course,
    ..Condition::new(
        "then",
        Kind::Texts,
        Heading::Positions,
        "A pattern that comes later; several come one after the other",
        ["Then this pattern", "Danach dieses Muster"],
        |given, draft| {
            draft.positions.then = given.values.to_vec();
            Ok(())
        },
    )
};
