//! How the game ends on the board.

use super::condition::{Choice, Condition, Heading, Kind, Label, Place};
use crate::{query::CourseTest, trail::Final};

pub(super) const CONDITION: Condition = Condition {
    value: "END",
    place: Place::Course,
    offers: ends,
    ..Condition::new(
        "ends_in",
        Kind::Word,
        Heading::Course,
        "How the game ends on the board: fifty means fifty moves without a capture or a pawn's move, repetition a position that occurs for the third time",
        ["The game ends in", "Die Partie endet mit"],
        |given, draft| {
            let kind = given.word("end of a game", &ENDS.map(|(name, kind, _)| (name, kind)))?;
            draft.course.add(CourseTest::facts(move |facts| facts.ends_in(kind)));
            Ok(())
        },
    )
};

const ENDS: [(&str, Final, Label); 5] = [
    ("mate", Final::Mate, ["mate", "Matt"]),
    ("stalemate", Final::Stalemate, ["stalemate", "Patt"]),
    ("insufficient", Final::Insufficient, ["too little material", "zu wenig Material"]),
    ("fifty", Final::FiftyMoves, ["fifty moves", "fünfzig Zügen"]),
    ("repetition", Final::Repetition, ["repetition", "Wiederholung"]),
];

fn ends() -> Vec<Choice> {
    ENDS.map(|(value, _, label)| Choice { value, label }).to_vec()
}
