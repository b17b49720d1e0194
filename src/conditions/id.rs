//! The ids of games.

use super::condition::{Condition, Heading, ValueType};
use crate::archive::Filter;

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    ..Condition::new(
        "id",
        ValueType::Codes,
        Heading::Origin,
        "Ids of games: 7, 100..200, or several: 1,5,9; - reads them from standard input",
        ["Number", "Nummer"],
        |given, draft| {
            match &Filter::id_ranges(given.text())?[..] {
                [range] => draft.rows.ids = Some(range.clone()),
                ranges => draft.ids = ranges.to_vec(),
            }
            Ok(())
        },
    )
};
