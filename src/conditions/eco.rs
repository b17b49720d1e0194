//! The code in the ECO tag.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    hint: "B20..B99",
    place: FormSection::Games,
    ..Condition::new(
        "eco",
        ValueType::Codes,
        Heading::Games,
        "Code in the ECO tag: B90, B90..B99, B9, B, or several: B9,C4",
        ["ECO", "ECO"],
        |given, draft| {
            draft.rows.numbers.push((GameNumber::Eco, Filter::eco_codes(given.text())?));
            Ok(())
        },
    )
};
