//! Whether a game matches a search, by its positions.

use std::ops::ControlFlow::{Break, Continue};

use super::condition::{Search, Step};
use crate::{
    chess::{Board, Color, Keyed, Move, Position, QuickChess, VariantPosition},
    query::find::Target,
    record::{GameError, StoredMoves},
    rules::Rules,
    trail::Material,
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
        let mut lines: Vec<Steps<'_>> = lines.map(|line| Steps::new(&line.steps)).collect();
        let mut course = self.course.begin();
        let mut found = lines.is_empty().then_some(0);
        let (mut ply, mut is_excluded, mut material) = (0, false, Material::of(start.board()));
        let replayed = game.replay(start)?.run(|position, m| {
            let (board, turn) = (position.board(), Position::turn(position));
            if let Some(m) = m {
                ply += 1;
                if !course.is_empty() {
                    course.to(Some((m, !turn, position.checkers().any())));
                }
                // A piece that is dropped changes it as well.
                let is_same =
                    matches!(m, Move::Castle { .. } | Move::Normal { capture: None, promotion: None, .. });
                if !is_same {
                    material = Material::of(board);
                }
            }
            is_excluded = !self.never.is_empty() && self.is_excluded(board, turn, material);
            if found.is_none() {
                found = lines.iter_mut().filter_map(|steps| steps.to(ply, board, turn, material)).min();
            }
            let is_found = found.is_some() && course.is_done() && self.never.is_empty();
            if is_excluded || is_found { Break(()) } else { Continue(()) }
        });
        replayed.map_err(|error| GameError::Moves(game.id, error))?;
        Ok(found.filter(|_| course.is_done() && !is_excluded))
    }
}

/// The progress of a game through the steps.
struct Steps<'a> {
    steps: &'a [Step],
    /// For each step, the ply at which it was last matched after the steps before it, and where the first step began.
    last: Vec<Option<(usize, usize)>>,
    /// For each way of each step, the number of consecutive positions in which it has matched.
    running: Vec<Vec<usize>>,
}

impl Steps<'_> {
    fn new(steps: &[Step]) -> Steps<'_> {
        Steps {
            steps,
            last: vec![None; steps.len()],
            running: steps.iter().map(|step| vec![0; step.ways.len()]).collect(),
        }
    }

    /// Advances to a position. Returns where the first step began, once all steps are matched.
    fn to(&mut self, ply: usize, board: &Board, turn: Color, material: Material) -> Option<usize> {
        // In reverse order: a position matches only one step, not two consecutive ones.
        for (number, step) in self.steps.iter().enumerate().rev() {
            let needed = step.positions.max(1);
            let mut is_there = false;
            for (way, running) in step.ways.iter().zip(&mut self.running[number]) {
                *running = if way.is_at(board, turn, material) { *running + 1 } else { 0 };
                is_there |= *running >= needed;
            }
            if !is_there {
                continue;
            }
            let begin = match number.checked_sub(1) {
                None => Some(ply + 1 - needed),
                Some(before) => self.last[before]
                    .filter(|(last, _)| step.within.is_none_or(|plies| ply - last <= plies))
                    .map(|(_, begin)| begin),
            };
            self.last[number] = begin.map(|begin| (ply, begin)).or(self.last[number]);
        }
        self.last.last().copied().flatten().map(|(_, begin)| begin)
    }
}
