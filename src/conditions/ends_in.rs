//! How the game ends on the board.

use super::condition::{Choice, Condition, FormSection, Heading, Label, ValueType};
use crate::{query::CourseTest, trail::Final};

pub(super) const CONDITION: Condition = Condition {
    value: "END",
    place: FormSection::Course,
    offers: ends,
    ..Condition::new(
        "ends_in",
        ValueType::Word,
        Heading::Course,
        "How the game ends on the board; fifty is 50 moves without a capture or pawn move, repetition is a position that occurs for the third time",
        ["How the game ends", "Ende der Partie"],
        |given, draft| {
            let kind = given.word("ending", &ENDS.map(|(name, kind, _)| (name, kind)))?;
            draft.course.add(CourseTest::facts(move |facts| facts.ends_in(kind)));
            Ok(())
        },
    )
};

const ENDS: [(&str, Final, Label); 5] = [
    ("mate", Final::Mate, ["mate", "Matt"]),
    ("stalemate", Final::Stalemate, ["stalemate", "Patt"]),
    ("insufficient", Final::Insufficient, ["insufficient material", "ungenügendes Material"]),
    ("fifty", Final::FiftyMoves, ["fifty-move rule", "50-Züge-Regel"]),
    ("repetition", Final::Repetition, ["repetition", "Stellungswiederholung"]),
];

fn ends() -> Vec<Choice> {
    ENDS.map(|(value, _, label)| Choice { value, label }).to_vec()
}
