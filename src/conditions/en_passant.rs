//! En passant captures.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::{chess::Color, query::CourseTest, trail::Facts};

pub(super) const CONDITION: Condition = Condition {
    place: FormSection::Course,
    ..Condition::new(
        "en_passant",
        ValueType::Switch,
        Heading::Course,
        "A pawn is captured en passant",
        ["En passant", "Schlagen en passant"],
        |_, draft| {
            let by_anyone = |facts: Facts| Color::ALL.into_iter().any(|color| facts.took_en_passant(color));
            draft.course.add(CourseTest::facts(by_anyone));
            Ok(())
        },
    )
};
