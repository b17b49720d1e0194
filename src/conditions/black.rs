//! The player with Black.

use super::condition::{Condition, Heading, Kind, Place};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: Place::Games,
    ..Condition::new(
        "black",
        Kind::Names(Some(NameKind::Player)),
        Heading::Players,
        "Player with Black",
        ["Black", "Schwarz"],
        |given, draft| {
            draft.rows.black = Some(name(given.text())?);
            Ok(())
        },
    )
};
