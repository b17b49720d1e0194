//! The player with White.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "white",
        ValueType::Names(Some(NameKind::Player)),
        Heading::Players,
        "Player with White",
        ["White", "Weiß"],
        |given, draft| {
            draft.rows.white = Some(name(given.text())?);
            Ok(())
        },
    )
};
