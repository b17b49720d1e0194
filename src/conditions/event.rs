//! The event.

use super::condition::{Condition, Heading, Kind, Place};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: Place::Games,
    ..Condition::new(
        "event",
        Kind::Names(Some(NameKind::Event)),
        Heading::Origin,
        "Name of the event",
        ["Event", "Turnier"],
        |given, draft| {
            draft.rows.event = Some(name(given.text())?);
            Ok(())
        },
    )
};
