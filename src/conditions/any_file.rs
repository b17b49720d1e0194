//! Patterns on other files, or mirrored left to right.

use super::condition::{Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    place: FormSection::Board,
    ..Condition::new(
        "any_file",
        ValueType::Switch,
        Heading::Positions,
        "Also match patterns shifted left or right, as long as all squares other than ? and * stay on the board, and mirrored left to right; several patterns are shifted together, and a rank that begins and ends with * is not shifted",
        [
            "Patterns on any file, or mirrored left to right",
            "Muster auf beliebiger Linie, auch seitenverkehrt",
        ],
        |_, draft| {
            draft.positions.any_file = true;
            Ok(())
        },
    )
};
