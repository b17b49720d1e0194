//! The variant of chess, or Xelto.

use super::condition::{Choice, Condition, FormSection, Heading, ValueType};
use crate::{record::GameKind, request::game_kind};

pub(super) const CONDITION: Condition = Condition {
    value: "VARIANT",
    place: FormSection::Games,
    offers: variants,
    ..Condition::new(
        "variant",
        ValueType::Text,
        Heading::Games,
        "Variant, such as Standard or Chess960, or Xelto",
        ["Variant", "Variante"],
        |given, draft| {
            draft.rows.kind = Some(game_kind(given.text())?);
            Ok(())
        },
    )
};

fn variants() -> Vec<Choice> {
    let of_chess = GameKind::all().filter(|kind| kind.variant().is_some());
    of_chess.map(|kind| Choice { value: kind.name(), label: [kind.name(), kind.name()] }).collect()
}
