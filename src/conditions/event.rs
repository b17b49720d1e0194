//! The event.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "event",
        ValueType::Names(Some(NameKind::Event)),
        Heading::Origin,
        "Name of the event",
        ["Event", "Turnier"],
        |given, draft| {
            draft.rows.event = Some(name(given.text())?);
            Ok(())
        },
    )
};
