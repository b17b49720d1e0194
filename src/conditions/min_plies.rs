//! For how many plies it stays like that.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    value: "N",
    hint: "10",
    place: Place::Course,
    ..Condition::new(
        "min_plies",
        Kind::Number,
        Heading::Positions,
        "It stays like that for at least N plies in a row, which are N + 1 positions [default: one position]",
        ["For at least this many plies", "Mindestens so viele Halbzüge lang"],
        |given, draft| {
            draft.positions.min_plies = Some(given.number());
            Ok(())
        },
    )
};
