//! Casual and rated games.

use super::condition::{Choice, Condition, FormSection, Heading, ValueType};

pub(super) const CONDITION: Condition = Condition {
    place: FormSection::Games,
    offers: modes,
    ..Condition::new(
        "casual",
        ValueType::YesOrNo("rated", "Rated games: those whose event does not begin with \"casual\""),
        Heading::Games,
        "Casual games: those whose event begins with \"casual\"",
        ["Rated", "Gewertet"],
        |given, draft| {
            draft.rows.casual = Some(given.text() == "yes");
            Ok(())
        },
    )
};

fn modes() -> Vec<Choice> {
    let rated = Choice { value: "no", label: ["rated", "gewertet"] };
    vec![rated, Choice { value: "yes", label: ["casual", "ungewertet"] }]
}
