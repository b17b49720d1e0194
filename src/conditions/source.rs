//! The source of the game.

use super::condition::{Condition, Heading, ValueType};
use super::names::name;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    ..Condition::new(
        "source",
        ValueType::Names(None),
        Heading::Origin,
        "File that the game was imported from",
        ["Source", "Quelle"],
        |given, draft| {
            draft.rows.source = Some(name(given.text())?);
            Ok(())
        },
    )
};
