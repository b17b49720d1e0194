//! Whether the result counted for ratings.

use super::condition::{Choice, Condition, Heading, Kind, Place};

pub(super) const CONDITION: Condition = Condition {
    place: Place::Games,
    offers: modes,
    ..Condition::new(
        "casual",
        Kind::YesOrNo("rated", "Rated games: all whose event does not begin with \"casual\""),
        Heading::Games,
        "Casual games",
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
