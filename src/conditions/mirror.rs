//! Also match with colours swapped.

use super::condition::{Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    place: Place::Board,
    ..Condition::new(
        "mirror",
        Kind::Switch,
        Heading::Positions,
        "Also match positions and patterns with colours swapped and the board flipped vertically",
        ["Also with colours swapped", "Auch mit vertauschten Farben"],
        |_, draft| {
            draft.mirror = true;
            Ok(())
        },
    )
};
