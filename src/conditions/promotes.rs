//! Promotions.

use super::condition::{Choice, Condition, FormSection, Heading, Label, ValueType};
use crate::{
    chess::{Color, Move, Role},
    query::{CourseTest, Match, MovesRun, MovesTest},
    trail::TrailReader,
};

pub(super) const CONDITION: Condition = Condition {
    value: "PIECE",
    place: FormSection::Course,
    offers: pieces,
    ..Condition::new(
        "promotes",
        ValueType::Word,
        Heading::Course,
        "A pawn is promoted to this piece; under is any piece except a queen",
        ["Promotion to", "Umwandlung in"],
        |given, draft| {
            let roles = given.word("promotion", &PIECES.map(|(name, roles, _)| (name, roles)))?;
            draft.course.add(CourseTest::moves(Promotes { roles, is_done: false }));
            Ok(())
        },
    )
};

const PIECES: [(&str, &[Role], Label); 6] = [
    ("any", &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight], ["any piece", "beliebige Figur"]),
    ("under", &[Role::Rook, Role::Bishop, Role::Knight], ["underpromotion", "Unterverwandlung"]),
    ("queen", &[Role::Queen], ["queen", "Dame"]),
    ("rook", &[Role::Rook], ["rook", "Turm"]),
    ("bishop", &[Role::Bishop], ["bishop", "Läufer"]),
    ("knight", &[Role::Knight], ["knight", "Springer"]),
];

fn pieces() -> Vec<Choice> {
    PIECES.map(|(value, _, label)| Choice { value, label }).to_vec()
}

#[derive(Clone)]
struct Promotes {
    roles: &'static [Role],
    is_done: bool,
}

impl MovesTest for Promotes {
    fn by_trail(&self, trail: TrailReader<'_>) -> Match {
        let is_wanted = |role| self.roles.contains(&role);
        let promotes = trail.changes().any(|change| change.promoted().is_some_and(is_wanted));
        if promotes { Match::Yes } else { Match::No }
    }

    fn begin(&self) -> Box<dyn MovesRun> {
        Box::new(self.clone())
    }
}

impl MovesRun for Promotes {
    fn to(&mut self, m: Move, _: Color, _: bool) {
        self.is_done |= m.promotion().is_some_and(|role| self.roles.contains(&role));
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
