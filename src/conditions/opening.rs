//! The opening, by position.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::openings::{OpeningError, OpeningId, Openings};

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "opening",
        ValueType::Names(None),
        Heading::Games,
        "Opening of the last named position of the game: najdorf, 'french winawer', B90..B99",
        ["Opening", "Eröffnung"],
        |given, draft| {
            draft.openings = openings(given.text())?;
            Ok(())
        },
    )
};

/// Parses openings, separated by semicolons; each must match at least one.
fn openings(text: &str) -> Result<Vec<OpeningId>, OpeningError> {
    let mut every = Vec::new();
    for text in text.split(';') {
        let found = Openings::standard().search(text);
        if found.is_empty() {
            return Err(Openings::standard().unknown(text));
        }
        every.extend(found);
    }
    Ok(every)
}
