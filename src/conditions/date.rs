//! The date.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    hint: "1990..2000",
    place: FormSection::Games,
    ..Condition::new(
        "date",
        ValueType::Text,
        Heading::Origin,
        "Date: 1984, 1984.05, 1984..1990, 1984.05.01.. or ..1990",
        ["Date", "Datum"],
        |given, draft| {
            let range = Filter::dates(given.text())?;
            draft.rows.numbers.push((GameNumber::Date, vec![range]));
            Ok(())
        },
    )
};
