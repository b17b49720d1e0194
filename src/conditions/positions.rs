//! Combines the conditions on positions into a search for sequences of positions.

use shakmaty::Color;

use super::{
    FilterText,
    material::{material, material_by_side},
    pattern::{Placement, placed, side},
};
use crate::{
    limits::MAX_CONDITIONS,
    query::{Line, Step, StepWay},
    request::{RequestError, Requirement},
};

/// The conditions that are patterns.
const PATTERNS: [&str; 3] = ["pattern", "then", "not_pattern"];

/// The sequences to search for. `won` is whether the first side of the material must win, or lose; then there is one for
/// each colour of that side.
pub(super) fn lines(text: &FilterText, won: Option<bool>) -> Result<Vec<Line>, RequestError> {
    let sides = match won {
        Some(won) => Color::ALL.map(|first| (Some(first), Some(if won { first } else { !first }))).to_vec(),
        None => vec![(None, None)],
    };
    let mut lines = Vec::new();
    for place in places(text)? {
        for &(first, winner) in &sides {
            let line = Line { steps: steps(text, first, place)?, winner };
            let is_there = line.steps.iter().all(|step| place.is_written() || !step.ways.is_empty());
            if is_there && !line.steps.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// The patterns that must never occur.
pub(super) fn never(text: &FilterText) -> Result<Vec<StepWay>, RequestError> {
    let mut never = Vec::new();
    for place in places(text)? {
        for pattern in text.all("not_pattern") {
            never.extend(placed(pattern, place)?.filter(|way| !never.contains(way)));
        }
    }
    Ok(never)
}

/// The placements of patterns. If there are several patterns, they are moved together.
fn places(text: &FilterText) -> Result<Vec<Placement>, RequestError> {
    let mut places = vec![Placement::WRITTEN];
    if text.has("any_file") {
        if !PATTERNS.into_iter().any(|name| text.has(name)) {
            return Err(RequestError::Requires(Requirement::AnyFile));
        }
        places.extend(Placement::others());
    }
    Ok(places)
}

/// The sequence at a placement, with the first side of the first material having the given colour, if any. A step
/// that cannot match has no alternatives.
fn steps(text: &FilterText, first: Option<Color>, place: Placement) -> Result<Vec<Step>, RequestError> {
    let [materials, patterns, then] = ["material", "pattern", "then"].map(|name| text.all(name));
    let conditions = PATTERNS.map(|name| text.all(name).len()).iter().sum::<usize>() + materials.len();
    if conditions > MAX_CONDITIONS {
        return Err(RequestError::Conditions);
    }
    // The side to move.
    let turn = text.get("to_move").map(side).transpose()?;
    let mut ways = vec![StepWay { turn, ..StepWay::default() }];
    for (number, text) in materials.iter().enumerate() {
        let of_material = match first.filter(|_| number == 0) {
            Some(first) => {
                let [white, black] = material_by_side(text)?;
                first.fold_wb(white, black).into_iter().collect()
            }
            None => material(text)?,
        };
        ways = both(&ways, &of_material);
    }
    for pattern in patterns {
        ways = both(&ways, placed(pattern, place)?.as_slice());
    }
    let is_asked = turn.is_some() || !materials.is_empty() || !patterns.is_empty();
    // N plies lie between N + 1 positions.
    let plies = |text: &String| text.parse().unwrap_or(usize::MAX);
    let positions = text.all("min_plies").last().map_or(1, |text| plies(text).saturating_add(1));
    if text.has("min_plies") && !is_asked {
        return Err(RequestError::Requires(Requirement::MinPlies));
    }
    let mut steps: Vec<Step> = is_asked.then_some(Step::new(ways, positions, None)).into_iter().collect();
    let within: Vec<usize> = text.all("within").iter().map(plies).collect();
    if !within.is_empty() && (then.is_empty() || ![1, then.len()].contains(&within.len())) {
        return Err(RequestError::Requires(Requirement::Within));
    }
    if !then.is_empty() && steps.is_empty() {
        return Err(RequestError::Requires(Requirement::Then));
    }
    for (number, pattern) in then.iter().enumerate() {
        let within = within.get(number).or(within.first()).copied();
        steps.push(Step::new(placed(pattern, place)?.into_iter().collect(), 1, within));
    }
    Ok(steps)
}

/// All combinations of two sets of alternatives.
fn both(one: &[StepWay], other: &[StepWay]) -> Vec<StepWay> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    let joined = pairs.filter_map(|(one, other)| {
        let turns = [one.turn, other.turn];
        // A position has only one side to move.
        if let [Some(one), Some(other)] = turns
            && one != other
        {
            return None;
        }
        Some(StepWay {
            material: [&one.material[..], &other.material[..]].concat(),
            patterns: [&one.patterns[..], &other.patterns[..]].concat(),
            turn: one.turn.or(other.turn),
        })
    });
    joined.collect()
}
