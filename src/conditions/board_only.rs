//! Compare only the pieces of positions.

use super::condition::{Condition, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    ..Condition::new(
        "board_only",
        ValueType::Switch,
        Heading::Positions,
        "Compare only the pieces of positions; ignore the side to move and castling rights",
        ["Pieces only", "Nur die Figuren"],
        |_, draft| {
            draft.board_only = true;
            Ok(())
        },
    )
};
