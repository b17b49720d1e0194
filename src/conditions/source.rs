//! The source of the game.

use super::condition::{Condition, Heading, Kind};
use super::names::name;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    ..Condition::new(
        "source",
        Kind::Names(None),
        Heading::Origin,
        "File that the game was imported from",
        ["Source", "Quelle"],
        |given, draft| {
            draft.rows.source = Some(name(given.text())?);
            Ok(())
        },
    )
};
