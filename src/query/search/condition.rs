//! Search conditions other than complete positions.

use super::{
    course::Course,
    pattern::{Match, Pattern, PawnCondition},
};
use crate::{
    chess::{Board, Color, Variant},
    rules::{KnownOutcome, Outcome},
    trail::{Material, Moment, Pawns},
};

/// A range of material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialRange {
    /// The minimum.
    pub least: Material,
    /// The maximum.
    pub most: Material,
}

impl MaterialRange {
    /// Whether some material is within the range.
    #[inline]
    pub fn has(self, material: Material) -> bool {
        material.is_between(self.least, self.most)
    }

    /// The same with the colours swapped.
    #[must_use]
    pub fn mirrored(self) -> MaterialRange {
        MaterialRange { least: self.least.mirrored(), most: self.most.mirrored() }
    }
}

/// The condition on one position, which can be met in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The ways; consecutive positions are counted separately for each way.
    pub ways: Vec<StepWay>,
    /// The minimum number of consecutive positions in which the same way must match.
    pub positions: usize,
    /// The maximum number of plies after the previous step.
    pub within: Option<usize>,
    /// What must be true of the pawns.
    pawns: PawnCondition,
    /// Whether it has only conditions on material.
    pub(super) is_of_material: bool,
}

/// One way for a position to match a step: all its conditions must hold at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepWay {
    /// The pieces on the board.
    pub material: Vec<MaterialRange>,
    /// The contents of squares.
    pub patterns: Vec<Pattern>,
    /// The side to move.
    pub turn: Option<Color>,
}

impl Step {
    /// The condition that one of some ways matches in at least this many consecutive positions, at most some plies
    /// after the previous step.
    pub fn new(ways: Vec<StepWay>, positions: usize, within: Option<usize>) -> Step {
        let of = |way: &StepWay| PawnCondition::all(way.patterns.iter().map(Pattern::pawns));
        let pawns = PawnCondition::one_of(ways.iter().map(of));
        let is_of_material = ways.iter().all(StepWay::is_of_material);
        Step { ways, positions, within, pawns, is_of_material }
    }

    fn mirrored(&self) -> Step {
        let ways = self.ways.iter().map(StepWay::mirrored).collect();
        Step::new(ways, self.positions, self.within)
    }

    /// Whether it can match with these pawns.
    #[inline]
    pub(super) fn may_match(&self, pawns: Pawns) -> bool {
        self.pawns.is_met(pawns)
    }

    /// Whether it matches in a moment of a trail.
    #[inline]
    pub(super) fn matches(&self, moment: &Moment) -> Match {
        self.ways.iter().map(|way| way.matches(moment)).max().unwrap_or(Match::No)
    }
}

impl StepWay {
    /// The same with the colours swapped and the board turned upside down.
    #[must_use]
    pub fn mirrored(&self) -> StepWay {
        StepWay {
            material: self.material.iter().map(|range| range.mirrored()).collect(),
            patterns: self.patterns.iter().map(Pattern::mirrored).collect(),
            turn: self.turn.map(|turn| !turn),
        }
    }

    /// Whether a position matches.
    pub(super) fn is_at(&self, board: &Board, turn: Color, material: Material) -> bool {
        self.turn.is_none_or(|wanted| wanted == turn)
            && self.material.iter().all(|range| range.has(material))
            && self.patterns.iter().all(|pattern| pattern.is_on(board))
    }

    /// Whether it matches in a moment of a trail.
    #[inline]
    pub(super) fn matches(&self, moment: &Moment) -> Match {
        if !self.material.iter().all(|range| range.has(moment.material)) {
            return Match::No;
        }
        let asked = if self.turn.is_some() { Match::Maybe } else { Match::Yes };
        self.patterns.iter().map(|pattern| pattern.matches(moment)).fold(asked, Match::min)
    }

    /// The minimum number of pieces required, not counting kings.
    pub(super) fn least_pieces(&self) -> u8 {
        self.material_bounds().map(|(least, _)| least.pieces()).max().unwrap_or(0)
    }

    /// The minimum and maximum material required, all of which must hold.
    pub(super) fn material_bounds(&self) -> impl Iterator<Item = (Material, Material)> {
        let of_material = self.material.iter().map(|range| (range.least, range.most));
        of_material.chain(self.patterns.iter().map(Pattern::material))
    }

    /// Whether it has only conditions on material.
    fn is_of_material(&self) -> bool {
        self.patterns.is_empty() && self.turn.is_none()
    }
}

/// Positions in sequence, each later than the previous one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The conditions on the positions.
    pub steps: Vec<Step>,
    /// Only in games that this side won.
    pub winner: Option<Color>,
}

impl Line {
    fn mirrored(&self) -> Line {
        Line {
            steps: self.steps.iter().map(Step::mirrored).collect(),
            winner: self.winner.map(|winner| !winner),
        }
    }

    /// Whether games with this result are searched.
    pub(super) fn is_for(&self, result: Outcome) -> bool {
        self.winner.is_none_or(|winner| result == won_by(winner))
    }
}

/// The result of games that a side won.
pub(super) fn won_by(winner: Color) -> Outcome {
    Outcome::Known(KnownOutcome::Decisive { winner })
}

/// A search: positions that games reach in sequence, positions that they never reach, and tests of the complete game.
/// All conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The games of a variant; Chess960 and standard chess are the same here.
    pub variant: Variant,
    /// The lines of positions. One of several is enough.
    pub lines: Vec<Line>,
    /// The conditions that no position may match.
    pub never: Vec<StepWay>,
    /// The tests of the complete game.
    pub course: Course,
}

impl Search {
    /// Whether it matches every game.
    pub fn is_everything(&self) -> bool {
        self.lines.is_empty() && self.never.is_empty() && self.course.is_empty()
    }

    /// Adds the same lines with colours swapped and the board turned upside down. Conditions that must never match must
    /// not match that way either.
    #[must_use]
    pub fn mirrored(mut self) -> Search {
        let mirrored: Vec<Line> = self.lines.iter().map(Line::mirrored).collect();
        self.lines.extend(mirrored);
        let mirrored: Vec<StepWay> = self.never.iter().map(StepWay::mirrored).collect();
        self.never.extend(mirrored);
        self
    }

    /// Splits it into searches for games that one side won, or for all games.
    pub(super) fn by_winner(&self) -> Vec<(Option<Color>, Search)> {
        let winners = [None, Some(Color::White), Some(Color::Black)];
        let of = |winner| self.lines.iter().filter(move |line: &&Line| line.winner == winner).cloned();
        let searches = winners.map(|winner| (winner, Search { lines: of(winner).collect(), ..self.clone() }));
        let is_all = self.lines.is_empty();
        searches
            .into_iter()
            .filter(|(winner, search)| !search.lines.is_empty() || is_all && winner.is_none())
            .collect()
    }

    /// Whether games of a variant are searched.
    pub fn is_of(&self, variant: Variant) -> bool {
        let is_chess = |variant| matches!(variant, Variant::Standard | Variant::Chess960);
        variant == self.variant || is_chess(variant) && is_chess(self.variant)
    }
}
