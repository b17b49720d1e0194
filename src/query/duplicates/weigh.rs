//! Whether two games are the same: what agrees in their tags, against how much of their moves could agree by chance.
//!
//! docs/duplicates.md has the rules in words.

use super::{
    Difference, NearDuplicate, candidates::Popular, course::Course, date::DateLikeness,
    tagged_game::TaggedGame,
};
use crate::{archive::Summary, case_fold::folded, player_name::Likeness};

/// Most plies of one game after the last shared position, if both continue.
const LONGEST_ENDING: usize = 10;

/// The points required, by the least number of plies that the two games share and few others do.
const REQUIRED: [(usize, i32); 5] = [(40, -2), (24, 1), (12, 3), (6, 5), (0, 7)];
/// Fewer points are required if the moves are the same, and more if both games continue differently after fewer plies
/// than [`MANY_PLIES`].
const SAME_MOVES: i32 = -1;
const OTHER_ENDING: i32 = 2;
const MANY_PLIES: usize = 40;

/// Compares two games; `None` if they are not near duplicates.
pub(super) fn weigh(games: [&TaggedGame; 2], popular: &Popular) -> Option<NearDuplicate> {
    let [one, two] = games;
    let course = Course::of(&one.positions, &two.positions)?;
    let required = required(&course, popular.depth(&one.positions[..=course.shared]))?;
    let certainty = points(one, two) - required;
    (certainty >= 0).then(|| NearDuplicate {
        games: [one.tags.id, two.tags.id],
        differences: differences(&one.tags, &two.tags, course),
        shared_plies: course.shared,
        certainty,
    })
}

/// The points that tags must have for games of this course, which is popular up to a ply; `None` if the moves are too
/// different.
fn required(course: &Course, popular: usize) -> Option<i32> {
    let (own, least, most) =
        (course.shared - popular, course.left.into_iter().min()?, course.left.into_iter().max()?);
    let (_, required) = REQUIRED.into_iter().find(|(plies, _)| own >= *plies)?;
    match (least, most) {
        (0, 0) => Some(required + SAME_MOVES),
        (0, _) => Some(required),
        _ if least > LONGEST_ENDING.min(course.shared) => None,
        _ if own >= MANY_PLIES => Some(required),
        _ => Some(required + OTHER_ENDING),
    }
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
        DateLikeness::YearOff => -1,
        DateLikeness::Other => -3,
    };
    players.sum::<i32>() + date + occasion(&one.tags, &two.tags)
}

/// The points for event, site and round.
fn occasion(one: &Summary, two: &Summary) -> i32 {
    let is_one_event = agree(&one.event, &two.event);
    let event = is_one_event.map_or(0, |is_one| if is_one { 1 } else { -1 });
    let is_one_place = agree(&one.site, &two.site) == Some(true);
    let (Some(round), Some(other)) = (known(&one.round), known(&two.round)) else { return event };
    // "6" and "6.2", in which the second number is that of a board.
    let is_cut = [(round, other), (other, round)]
        .into_iter()
        .any(|(long, short)| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.')));
    event
        + match is_one_event {
            Some(true) if round == other => 3,
            _ if round == other => 0,
            _ if is_cut => 0,
            Some(true) => -4,
            _ if is_one_place => -4,
            _ => -2,
        }
}

/// Whether two tags have the same letters and digits, if both are known.
fn agree(one: &Option<String>, two: &Option<String>) -> Option<bool> {
    let plain = |text: &str| folded(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (one, two) = (known(one)?, known(two)?);
    Some(one == two || plain(one) == plain(two))
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
