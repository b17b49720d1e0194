//! Whether two games are the same: what agrees in their tags, against how much of their moves could agree by chance.
//!
//! docs/duplicates.md has the rules in words.

use super::{
    Difference, NearDuplicate,
    candidates::Popular,
    course::Course,
    date::DateLikeness,
    tagged_game::TaggedGame,
};
use crate::{archive::Summary, player_name::Likeness};

/// Most plies of one game after the last shared position, if both continue.
const LONGEST_ENDING: usize = 8;

/// The points required, by the least number of plies that the two games alone share.
const REQUIRED: [(usize, i32); 5] = [(40, -2), (24, 2), (12, 3), (6, 5), (0, 7)];

/// Additional points if both games continue differently, and share fewer plies than this.
const FEW_PLIES: usize = 12;
const FOR_ENDING: i32 = 2;

/// Compares two games; `None` if they are not near duplicates.
pub(super) fn weigh(games: [&TaggedGame; 2], popular: &Popular) -> Option<NearDuplicate> {
    let [one, two] = games;
    let course = Course::of(&one.positions, &two.positions)?;
    let [first, second] = course.left;
    if first.min(second) > LONGEST_ENDING {
        return None;
    }
    let own = course.shared - popular.depth(&one.positions[..=course.shared]);
    let has_ending = first > 0 && second > 0;
    let ending = if has_ending && own < FEW_PLIES { FOR_ENDING } else { 0 };
    let required = REQUIRED.iter().find(|(plies, _)| own >= *plies).map_or(0, |(_, points)| points + ending);
    let certainty = points(one, two) - required;
    (certainty >= 0).then(|| NearDuplicate {
        games: [one.tags.id, two.tags.id],
        differences: differences(&one.tags, &two.tags, course),
        shared_plies: course.shared,
        certainty,
    })
}

/// What the tags say for one game, and against it.
fn points(one: &TaggedGame, two: &TaggedGame) -> i32 {
    let players = one.players.iter().zip(&two.players).map(|(one, two)| match one.likeness(two) {
        Likeness::Same => 2,
        Likeness::Unknown => 0,
        Likeness::Family => -1,
        Likeness::Other => -4,
    });
    let date = match DateLikeness::of(one.tags.date, two.tags.date) {
        DateLikeness::Same => 3,
        DateLikeness::Near => 2,
        DateLikeness::Vague => 1,
        DateLikeness::Unknown => 0,
        DateLikeness::Other => -3,
    };
    let is_one_event = known(&one.tags.event).is_some_and(|event| known(&two.tags.event) == Some(event));
    let round = match (known(&one.tags.round), known(&two.tags.round)) {
        _ if !is_one_event => 0,
        (Some(round), Some(other)) => if round == other { 2 } else { -4 },
        _ => 0,
    };
    players.sum::<i32>() + date + i32::from(is_one_event) + round
}

/// A tag's value, if it says something.
fn known(tag: &Option<String>) -> Option<&str> {
    tag.as_deref().filter(|text| !matches!(*text, "" | "?" | "-"))
}

fn differences(one: &Summary, two: &Summary, course: Course) -> Vec<Difference> {
    let [first, second] = course.left;
    let all = [
        (Difference::Names, one.white != two.white || one.black != two.black),
        (Difference::Shorter, (first == 0) != (second == 0)),
        (Difference::Ending, first > 0 && second > 0),
        (Difference::Transposed, course.is_transposed),
        (Difference::Date, one.date != two.date),
        (Difference::Result, one.result != two.result),
        (Difference::Event, one.event != two.event),
        (Difference::Site, one.site != two.site),
        (Difference::Round, one.round != two.round),
    ];
    let mut differences: Vec<Difference> =
        all.into_iter().filter(|(_, differs)| *differs).map(|(difference, _)| difference).collect();
    if differences.is_empty() {
        differences.push(Difference::Other);
    }
    differences
}
