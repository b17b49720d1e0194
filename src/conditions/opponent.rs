//! The opponent of the player.

use super::condition::{Condition, FormSection, Heading, ValueType};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: FormSection::Games,
    ..Condition::new(
        "opponent",
        ValueType::Names(Some(NameKind::Player)),
        Heading::Players,
        "Opponent of --player",
        ["Opponent", "Gegner"],
        |given, draft| {
            draft.rows.opponent = Some(name(given.text())?);
            Ok(())
        },
    )
};
