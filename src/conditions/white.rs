//! The player with White.

use super::condition::{Condition, Heading, Kind, Place};
use super::names::name;
use crate::archive::NameKind;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    place: Place::Games,
    ..Condition::new(
        "white",
        Kind::Names(Some(NameKind::Player)),
        Heading::Players,
        "Player with White",
        ["White", "Weiß"],
        |given, draft| {
            draft.rows.white = Some(name(given.text())?);
            Ok(())
        },
    )
};
