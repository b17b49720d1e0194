//! The rating of Black.

use super::condition::{Condition, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    ..Condition::new(
        "black_elo",
        ValueType::Text,
        Heading::Players,
        "Rating of Black",
        ["Rating of Black", "Elo von Schwarz"],
        |given, draft| {
            let range = Filter::numbers(given.text())?;
            draft.rows.numbers.push((GameNumber::BlackElo, vec![range]));
            Ok(())
        },
    )
};
