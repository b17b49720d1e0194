//! The number of plies.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    place: FormSection::Games,
    ..Condition::new(
        "plies",
        ValueType::Text,
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
