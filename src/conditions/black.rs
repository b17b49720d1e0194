//! The player with Black.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "black",
        ValueType::Names(Some(NameKind::Player)),
        Heading::Players,
        "Player with Black",
        ["Black", "Schwarz"],
        |given, draft| {
            draft.rows.black = Some(name(given.text())?);
            Ok(())
        },
    )
};
