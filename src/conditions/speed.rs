//! The speed, by time control.

use super::condition::{Choice, Condition, FormSection, Heading, ValueType};
use std::collections::BTreeSet;

use crate::{position_index::Speed, request::RequestError};

pub(super) const CONDITION: Condition = Condition {
    value: "SPEED,...",
    place: FormSection::Games,
    offers: all,
    ..Condition::new(
        "speed",
        ValueType::Text,
        Heading::Games,
        "Speed, by the TimeControl tag: ultraBullet, bullet, blitz, rapid, classical, correspondence, or several: bullet,blitz. Games without a time control are classical",
        ["Speed", "Bedenkzeit"],
        |given, draft| {
            draft.rows.speed = Some(speeds(given.text())?);
            Ok(())
        },
    )
};

fn all() -> Vec<Choice> {
    let label = |value| match value {
        "rapid" => "Schnellschach",
        "classical" => "klassisch",
        "correspondence" => "Fernschach",
        "blitz" => "Blitz",
        "bullet" => "Bullet",
        "ultraBullet" => "UltraBullet",
        other => other,
    };
    let choice = |value| Choice { value, label: [value, label(value)] };
    Speed::ALL.into_iter().map(Speed::name).map(choice).collect()
}

/// Parses speeds, separated by commas.
fn speeds(text: &str) -> Result<BTreeSet<Speed>, RequestError> {
    let speed = |name: &str| {
        Speed::from_name(name.trim()).ok_or_else(|| RequestError::Speed {
            text: name.to_owned(),
            known: Speed::ALL.map(Speed::name).join(", "),
        })
    };
    text.split(',').map(speed).collect()
}
