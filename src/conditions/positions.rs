//! Combines the conditions on positions into a search for sequences of positions.

use shakmaty::Color;

use super::{
    material::{material, material_by_side},
    pattern::{Placement, placed},
};
use crate::{
    limits::MAX_CONDITIONS,
    query::{Line, Step, StepWay},
    request::RequestError,
};

/// The conditions on positions.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Material of both sides.
    pub(super) material: Vec<String>,
    /// Patterns on the board.
    pub(super) patterns: Vec<String>,
    /// Also match patterns on other files, and mirrored left to right.
    pub(super) any_file: bool,
    /// The side to move.
    pub(super) turn: Option<Color>,
    /// For how many plies in a row they must hold; the number of positions is one larger.
    pub(super) min_plies: Option<usize>,
    /// Patterns that must follow, in order.
    pub(super) then: Vec<String>,
    /// The maximum number of plies between consecutive patterns: one for all, or one for each.
    pub(super) within: Vec<usize>,
    /// Patterns that must never occur.
    pub(super) never: Vec<String>,
    /// Whether the first side of the material must win, or lose.
    pub(super) won: Option<bool>,
}

impl Positions {
    /// The sequences to search for; if a side of the material must win, one for each colour of that side.
    pub(super) fn lines(&self) -> Result<Vec<Line>, RequestError> {
        let sides = match self.won {
            Some(won) => {
                Color::ALL.map(|first| (Some(first), Some(if won { first } else { !first }))).to_vec()
            }
            None => vec![(None, None)],
        };
        let mut lines = Vec::new();
        for place in self.places()? {
            for &(first, winner) in &sides {
                let line = Line { steps: self.steps(first, place)?, winner };
                let is_there = line.steps.iter().all(|step| place.is_written() || !step.ways.is_empty());
                if is_there && !line.steps.is_empty() && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    /// The patterns that must never occur.
    pub(super) fn never(&self) -> Result<Vec<StepWay>, RequestError> {
        let mut never = Vec::new();
        for place in self.places()? {
            for text in &self.never {
                never.extend(placed(text, place)?.filter(|way| !never.contains(way)));
            }
        }
        Ok(never)
    }

    /// The placements of patterns. If there are several patterns, they are moved together.
    fn places(&self) -> Result<Vec<Placement>, RequestError> {
        let mut places = vec![Placement::WRITTEN];
        if self.any_file {
            if [&self.patterns, &self.then, &self.never].iter().all(|patterns| patterns.is_empty()) {
                return Err(RequestError::Unused("any-file", "a pattern: pattern, then or not-pattern"));
            }
            places.extend(Placement::others());
        }
        Ok(places)
    }

    /// The sequence at a placement, with the first side of the first material having the given colour, if any. A step
    /// that cannot match has no alternatives.
    fn steps(&self, first: Option<Color>, place: Placement) -> Result<Vec<Step>, RequestError> {
        let conditions = [&self.material, &self.patterns, &self.then, &self.never].map(Vec::len);
        if conditions.iter().sum::<usize>() > MAX_CONDITIONS {
            return Err(RequestError::Conditions);
        }
        let mut ways = vec![StepWay { turn: self.turn, ..StepWay::default() }];
        for (number, text) in self.material.iter().enumerate() {
            let of_material = match first.filter(|_| number == 0) {
                Some(first) => {
                    let [white, black] = material_by_side(text)?;
                    first.fold_wb(white, black).into_iter().collect()
                }
                None => material(text)?,
            };
            ways = both(&ways, &of_material);
        }
        for text in &self.patterns {
            ways = both(&ways, placed(text, place)?.as_slice());
        }
        let is_asked = self.turn.is_some() || !self.material.is_empty() || !self.patterns.is_empty();
        // N plies lie between N + 1 positions.
        let positions = self.min_plies.map_or(1, |plies| plies.saturating_add(1));
        if self.min_plies.is_some() && !is_asked {
            return Err(RequestError::Unused("min-plies", "material or a pattern"));
        }
        let mut steps: Vec<Step> =
            is_asked.then_some(Step { ways, positions, within: None }).into_iter().collect();
        if !self.within.is_empty()
            && (self.then.is_empty() || ![1, self.then.len()].contains(&self.within.len()))
        {
            return Err(RequestError::Unused("within", "then; give within once, or once per then"));
        }
        if !self.then.is_empty() && steps.is_empty() {
            return Err(RequestError::Unused("then", "material or a pattern before it"));
        }
        for (number, text) in self.then.iter().enumerate() {
            let within = self.within.get(number).or(self.within.first()).copied();
            steps.push(Step { ways: placed(text, place)?.into_iter().collect(), positions: 1, within });
        }
        Ok(steps)
    }
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
