//! Pieces alone.

use super::condition::{Condition, Heading, Kind};

pub(super) const CONDITION: Condition = Condition {
    ..Condition::new(
        "board_only",
        Kind::Switch,
        Heading::Positions,
        "Of positions only the pieces count: either side to move, with whatever castling rights",
        ["Pieces alone", "Nur die Figuren"],
        |_, draft| {
            draft.board_only = true;
            Ok(())
        },
    )
};
