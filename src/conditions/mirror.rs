//! Also with colours swapped.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    place: Place::Board,
    ..Condition::new(
        "mirror",
        Kind::Switch,
        Heading::Positions,
        "Positions and patterns also with colours swapped and the board turned upside down",
        ["Also with colours swapped", "Auch mit vertauschten Farben"],
        |_, draft| {
            draft.mirror = true;
            Ok(())
        },
    )
};
