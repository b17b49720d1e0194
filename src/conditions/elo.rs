//! The ratings of both players.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::archive::{Filter, GameNumber};

pub(super) const CONDITION: Condition = Condition {
    value: "RANGE",
    alias: "rating",
    hint: "2400..",
    place: FormSection::Games,
    ..Condition::new(
        "elo",
        ValueType::Text,
        Heading::Players,
        "Ratings of both players: 2500.., 2400..2600",
        ["Rating of both players", "Elo beider Spieler"],
        |given, draft| {
            let range = Filter::numbers(given.text())?;
            draft.rows.numbers.push((GameNumber::WhiteElo, vec![range.clone()]));
            draft.rows.numbers.push((GameNumber::BlackElo, vec![range]));
            Ok(())
        },
    )
};
