//! Also match with colours swapped.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    place: FormSection::Board,
    ..Condition::new(
        "mirror",
        ValueType::Switch,
        Heading::Positions,
        "Also match positions and patterns with colours swapped and the board flipped vertically",
        ["Also with colours swapped", "Auch mit vertauschten Farben"],
        |_, draft| {
            draft.mirror = true;
            Ok(())
        },
    )
};
