//! A position that the game comes to.

use super::condition::{Condition, Heading, Kind};

pub(super) const CONDITION: Condition = Condition {
    value: "POSITION",
    ..Condition::new(
        "position",
        Kind::Text,
        Heading::Positions,
        "A position that the game comes to: a FEN, moves ('1. e4 c5'), GAME:PLY, or an opening's name",
        ["Position", "Stellung"],
        |given, draft| {
            draft.position = Some(given.text().parse()?);
            Ok(())
        },
    )
};
