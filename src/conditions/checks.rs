//! Consecutive checks.

use super::condition::{Condition, FormSection, Heading, ValueType};
use crate::{
    chess::{Color, Move},
    query::{CourseTest, Match, MovesRun, MovesTest},
    trail::TrailReader,
};

pub(super) const CONDITION: Condition = Condition {
    value: "N",
    hint: "3",
    place: FormSection::Course,
    ..Condition::new(
        "checks",
        ValueType::Number,
        Heading::Course,
        "One side gives check in at least N consecutive moves",
        ["Checks in a row", "Schachgebote in Folge"],
        |given, draft| {
            let wanted = given.number();
            draft.course.add(CourseTest::moves(Checks { wanted, given: [0; 2], is_done: wanted == 0 }));
            Ok(())
        },
    )
};

#[derive(Clone)]
struct Checks {
    wanted: usize,
    /// The number of consecutive checks by White and by Black.
    given: [usize; 2],
    is_done: bool,
}

impl MovesTest for Checks {
    fn by_trail(&self, _: TrailReader<'_>) -> Match {
        // A trail does not record checks.
        Match::Maybe
    }

    fn begin(&self) -> Box<dyn MovesRun> {
        Box::new(self.clone())
    }
}

impl MovesRun for Checks {
    fn to(&mut self, _: Move, by: Color, is_check: bool) {
        let given = &mut self.given[by.fold_wb(0, 1)];
        *given = if is_check { *given + 1 } else { 0 };
        self.is_done |= *given >= self.wanted;
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
