//! Opponent.

use super::condition::{Condition, Heading, Kind, Place};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: Place::Games,
    ..Condition::new(
        "opponent",
        Kind::Names(Some(NameKind::Player)),
        Heading::Players,
        "The other player",
        ["Opponent", "Gegner"],
        |given, draft| {
            draft.rows.opponent = Some(name(given.text())?);
            Ok(())
        },
    )
};
