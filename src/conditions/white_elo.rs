//! The rating of White.

use super::condition::{Condition, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    ..Condition::new(
        "white_elo",
        ValueType::Text,
        Heading::Players,
        "Rating of White",
        ["Rating of White", "Elo von Weiß"],
        |given, draft| {
            let range = Filter::numbers(given.text())?;
            draft.rows.numbers.push((GameNumber::WhiteElo, vec![range]));
            Ok(())
        },
    )
};
