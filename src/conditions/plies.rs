//! The number of plies.

use super::condition::{Condition, Heading, Kind, Place};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    place: Place::Games,
    ..Condition::new(
        "plies",
        Kind::Text,
        Heading::Games,
        "Number of plies: 40, 20..60, ..30",
        ["Plies", "Halbzüge"],
        |given, draft| {
            let range = Filter::numbers(given.text())?;
            draft.rows.numbers.push((GameNumber::Plies, vec![range]));
            Ok(())
        },
    )
};
