//! What games are searched for besides whole positions.

use super::{
    course::Course,
    pattern::{Match, Pattern},
};
use crate::{
    chess::{Board, Color, Variant},
    rules::{KnownOutcome, Outcome},
    trail::{Material, Moment},
};

/// How many pieces there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialRange {
    /// At the least.
    pub least: Material,
    /// At the most.
    pub most: Material,
}

impl MaterialRange {
    /// Whether some material is in it.
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

/// What one position must be, in one of several ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The ways; a way that once was is counted on only by itself.
    pub ways: Vec<StepWay>,
    /// In how many positions running, at the least, the same way must be.
    pub positions: usize,
    /// At most how many plies after the step before.
    pub within: Option<usize>,
}

/// A way in which a position fulfils a step: all of it at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepWay {
    /// How many pieces there are.
    pub material: Vec<MaterialRange>,
    /// What stands where.
    pub patterns: Vec<Pattern>,
    /// The side to move.
    pub turn: Option<Color>,
}

impl Step {
    fn mirrored(&self) -> Step {
        Step { ways: self.ways.iter().map(StepWay::mirrored).collect(), ..self.clone() }
    }

    /// Whether it is fulfilled in a moment of a trail.
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

    /// Whether a position is like that.
    pub(super) fn is_at(&self, board: &Board, turn: Color, material: Material) -> bool {
        self.turn.is_none_or(|wanted| wanted == turn)
            && self.material.iter().all(|range| range.has(material))
            && self.patterns.iter().all(|pattern| pattern.is_on(board))
    }

    /// Whether it is fulfilled in a moment of a trail.
    #[inline]
    pub(super) fn matches(&self, moment: &Moment) -> Match {
        if !self.material.iter().all(|range| range.has(moment.material)) {
            return Match::No;
        }
        let asked = if self.turn.is_some() { Match::Maybe } else { Match::Yes };
        self.patterns.iter().map(|pattern| pattern.matches(moment)).fold(asked, Match::min)
    }

    /// The least number of pieces that it needs, kings apart.
    pub(super) fn least_pieces(&self) -> u8 {
        self.material_bounds().map(|(least, _)| least.pieces()).max().unwrap_or(0)
    }

    /// The least and the most material that it needs, all of which must hold.
    pub(super) fn material_bounds(&self) -> impl Iterator<Item = (Material, Material)> {
        let of_material = self.material.iter().map(|range| (range.least, range.most));
        of_material.chain(self.patterns.iter().map(Pattern::material))
    }

    /// Whether the material is all it asks for.
    pub(super) fn is_of_material(&self) -> bool {
        self.patterns.is_empty() && self.turn.is_none()
    }
}

/// Positions in their order, each of which comes later than the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What the positions must be.
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

    /// Whether it is searched for in games that end like that.
    pub(super) fn is_for(&self, result: Outcome) -> bool {
        self.winner.is_none_or(|winner| result == won_by(winner))
    }
}

/// The result of games that a side won.
pub(super) fn won_by(winner: Color) -> Outcome {
    Outcome::Known(KnownOutcome::Decisive { winner })
}

/// What games are searched for: they come to positions, one after the other, never to some others, and do
/// something as a whole. Everything that is asked for counts.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The games of a variant; Chess960 and standard chess are the same here.
    pub variant: Variant,
    /// The positions. Of several lines one is enough.
    pub lines: Vec<Line>,
    /// What no position is like.
    pub never: Vec<StepWay>,
    /// What it does as a whole.
    pub course: Course,
}

impl Search {
    /// Whether every game is found.
    pub fn is_everything(&self) -> bool {
        self.lines.is_empty() && self.never.is_empty() && self.course.is_empty()
    }

    /// Also the same lines with the colours swapped and the board turned upside down; and what is never on the board is not
    /// there either that way.
    #[must_use]
    pub fn mirrored(mut self) -> Search {
        let mirrored: Vec<Line> = self.lines.iter().map(Line::mirrored).collect();
        self.lines.extend(mirrored);
        let mirrored: Vec<StepWay> = self.never.iter().map(StepWay::mirrored).collect();
        self.never.extend(mirrored);
        self
    }

    /// The same as searches that each are for games that one side won, or for all games.
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
