//! Whether a game matches a search, by its positions.

use std::ops::ControlFlow::{Break, Continue};

use super::condition::{Search, Step};
use crate::{
    chess::{Board, Color, Keyed, Move, Position, QuickChess, VariantPosition},
    query::find::Target,
    record::{GameError, StoredMoves},
    rules::Rules,
    trail::{Material, Pawns},
};

impl Target for Search {
    /// The ply at which the first step begins in the first match of all steps; 0 if there are no conditions on
    /// positions.
    fn first_ply(&self, game: &StoredMoves) -> Result<Option<usize>, GameError> {
        let has_line = self.lines.is_empty() || self.lines.iter().any(|line| line.is_for(game.result));
        if !self.is_of(game.variant) || !has_line || !self.course.has_facts(game) {
            return Ok(None);
        }
        match game.start()? {
            VariantPosition::Chess(start) => self.replayed(QuickChess::from(&start), game),
            start => self.replayed(start, game),
        }
    }
}

impl Search {
    /// Whether a position is one that must not occur.
    fn is_excluded(&self, board: &Board, turn: Color, material: Material) -> bool {
        self.never.iter().any(|way| way.is_at(board, turn, material))
    }

    fn replayed<P: Rules<Move = Move> + Keyed>(
        &self,
        start: P,
        game: &StoredMoves,
    ) -> Result<Option<usize>, GameError> {
        let lines = self.lines.iter().filter(|line| line.is_for(game.result));
        let mut lines: Vec<Vec<StepProgress<'_>>> =
            lines.map(|line| line.steps.iter().map(StepProgress::new).collect()).collect();
        let mut course = self.course.begin();
        let mut found = lines.is_empty().then_some(0);
        let (mut ply, mut is_excluded, mut material) = (0, false, Material::of(start.board()));
        let replayed = game.replay(start)?.run(|position, m| {
            let (board, turn) = (position.board(), Position::turn(position));
            let mut is_other_material = m.is_none();
            if let Some(m) = m {
                ply += 1;
                if !course.is_empty() {
                    course.to(Some((m, !turn, position.checkers().any())));
                }
                // A piece that is dropped changes it as well.
                is_other_material =
                    !matches!(m, Move::Castle { .. } | Move::Normal { capture: None, promotion: None, .. });
                if is_other_material {
                    material = Material::of(board);
                }
            }
            is_excluded = !self.never.is_empty() && self.is_excluded(board, turn, material);
            if found.is_none() {
                let at = At { ply, board, turn, material, is_other_material };
                found = lines.iter_mut().filter_map(|steps| advance(steps, &at)).min();
            }
            let is_found = found.is_some() && course.is_done() && self.never.is_empty();
            if is_excluded || is_found { Break(()) } else { Continue(()) }
        });
        replayed.map_err(|error| GameError::Moves(game.id, error))?;
        Ok(found.filter(|_| course.is_done() && !is_excluded))
    }
}

/// A position, and what changed with it.
struct At<'a> {
    ply: usize,
    board: &'a Board,
    turn: Color,
    material: Material,
    /// Whether the material differs from that of the position before.
    is_other_material: bool,
}

/// The progress of a game through a step.
struct StepProgress<'a> {
    step: &'a Step,
    /// Where it was last matched after the steps before it.
    matched: Option<Matched>,
    /// For each way, the number of consecutive positions in which it has matched.
    running: Vec<usize>,
    /// Whether a way matched in the last position.
    is_running: bool,
}

/// Steps that have been matched, up to one of them.
#[derive(Clone, Copy)]
struct Matched {
    /// The ply at which the first step began.
    begin: usize,
    /// The ply of the last position of the last step.
    end: usize,
}

impl StepProgress<'_> {
    fn new(step: &Step) -> StepProgress<'_> {
        let running = vec![0; step.ways.len()];
        StepProgress { step, matched: None, running, is_running: false }
    }

    /// Whether the step is matched at the next position, without regard to the steps before it.
    fn is_at(&mut self, at: &At<'_>) -> bool {
        // Most positions end here: with the pawns that they have the step cannot match, or nothing that it is about has
        // changed since the position before.
        let is_other = at.is_other_material || !self.step.is_of_material;
        let may_match = is_other && self.step.may_match(Pawns::of(at.board));
        if !may_match && !self.is_running {
            return false;
        }
        let needed = self.step.positions.max(1);
        for (way, running) in self.step.ways.iter().zip(&mut self.running) {
            *running = if way.is_at(at.board, at.turn, at.material) { *running + 1 } else { 0 };
        }
        self.is_running = self.running.iter().any(|running| *running > 0);
        self.running.iter().any(|running| *running >= needed)
    }
}

/// Advances the steps to a position. Returns where the first step began, once all are matched.
fn advance(steps: &mut [StepProgress<'_>], at: &At<'_>) -> Option<usize> {
    // In reverse order: a position matches only one step, not two consecutive ones.
    for number in (0..steps.len()).rev() {
        if !steps[number].is_at(at) {
            continue;
        }
        let step = steps[number].step;
        let begin = match number.checked_sub(1) {
            None => Some(at.ply + 1 - step.positions.max(1)),
            Some(before) => steps[before]
                .matched
                .filter(|before| step.within.is_none_or(|plies| at.ply - before.end <= plies))
                .map(|before| before.begin),
        };
        let matched = begin.map(|begin| Matched { begin, end: at.ply });
        steps[number].matched = matched.or(steps[number].matched);
    }
    steps.last()?.matched.map(|matched| matched.begin)
}
