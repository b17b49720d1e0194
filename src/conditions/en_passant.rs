//! En passant captures.

use super::condition::{Condition, Heading, Kind, Place};
use crate::{chess::Color, query::CourseTest, trail::Facts};

pub(super) const CONDITION: Condition = Condition {
    place: Place::Course,
    ..Condition::new(
        "en_passant",
        Kind::Switch,
        Heading::Course,
        "A pawn is captured en passant",
        ["En passant", "En passant"],
        |_, draft| {
            let by_anyone = |facts: Facts| Color::ALL.into_iter().any(|color| facts.took_en_passant(color));
            draft.course.add(CourseTest::facts(by_anyone));
            Ok(())
        },
    )
};
