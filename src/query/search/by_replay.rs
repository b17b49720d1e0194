//! Whether a game is what is searched for, by its positions.

use std::ops::ControlFlow::{Break, Continue};

use super::condition::{Course, Search, Step};
use crate::{
    chess::{Board, Color, Keyed, Move, Position, QuickChess, VariantPosition},
    query::find::Target,
    record::{GameError, StoredMoves},
    rules::Rules,
    trail::{Facts, Material},
};

impl Target for Search {
    /// The ply of the position at which the game first fulfils all steps: of the first position of the first of them. 0 if
    /// nothing is asked of positions.
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
    /// Whether a position is one that must not be.
    fn is_excluded(&self, board: &Board, turn: Color) -> bool {
        let material = Material::of(board);
        self.never.iter().any(|way| way.is_at(board, turn, material))
    }

    fn replayed<P: Rules<Move = Move> + Keyed>(
        &self,
        start: P,
        game: &StoredMoves,
    ) -> Result<Option<usize>, GameError> {
        let lines = self.lines.iter().filter(|line| line.is_for(game.result));
        let mut lines: Vec<Steps<'_>> = lines.map(|line| Steps::new(&line.steps)).collect();
        let mut course = Running::new(&self.course);
        let mut found = lines.is_empty().then_some(0);
        let (mut ply, mut is_excluded) = (0, false);
        let replayed = game.replay(start)?.run(|position, m| {
            let (board, turn) = (position.board(), Position::turn(position));
            if let Some(m) = m {
                ply += 1;
                course.to(m, !turn, position.checkers().any());
            }
            is_excluded = !self.never.is_empty() && self.is_excluded(board, turn);
            if found.is_none() {
                let material = Material::of(board);
                found = lines.iter_mut().filter_map(|steps| steps.to(ply, board, turn, material)).min();
            }
            let is_found = found.is_some() && course.is_done() && self.never.is_empty();
            if is_excluded || is_found { Break(()) } else { Continue(()) }
        });
        replayed.map_err(|error| GameError::Moves { id: game.id, error })?;
        Ok(found.filter(|_| course.is_done() && !is_excluded))
    }
}

impl Course {
    /// Whether what facts say of a game is what is asked for.
    pub(super) fn fits(&self, facts: Facts) -> bool {
        let castled = Color::ALL.into_iter().all(|color| {
            self.castled[color.fold_wb(0, 1)].is_none_or(|castled| facts.castled(color) == castled)
        });
        let passing = || Color::ALL.into_iter().any(|color| facts.took_en_passant(color));
        castled && self.ends_in.is_none_or(|kind| facts.ends_in(kind)) && (!self.en_passant || passing())
    }

    /// Whether it asks for something that facts say, which are known of standard chess and Chess960 alone.
    pub fn asks_facts(&self) -> bool {
        self.ends_in.is_some() || self.en_passant || self.castled != [None; 2]
    }

    fn has_facts(&self, game: &StoredMoves) -> bool {
        !self.asks_facts() || {
            let facts = Facts::of(game);
            facts.are_known() && self.fits(facts)
        }
    }
}

/// What a game has done so far of what no fact says.
struct Running<'a> {
    course: &'a Course,
    has_promoted: bool,
    /// How many checks White, and Black, has given running.
    checks: [usize; 2],
    has_checked: bool,
}

impl Running<'_> {
    fn new(course: &Course) -> Running<'_> {
        let has_promoted = course.promotes_to.is_empty();
        Running {
            course,
            has_promoted,
            checks: [0; 2],
            has_checked: course.checks.is_none_or(|checks| checks == 0),
        }
    }

    fn to(&mut self, m: Move, by: Color, is_check: bool) {
        self.has_promoted |= m.promotion().is_some_and(|role| self.course.promotes_to.contains(&role));
        let checks = &mut self.checks[by.fold_wb(0, 1)];
        *checks = if is_check { *checks + 1 } else { 0 };
        self.has_checked |= self.course.checks.is_some_and(|wanted| *checks >= wanted);
    }

    fn is_done(&self) -> bool {
        self.has_promoted && self.has_checked
    }
}

/// How far a game has come with the steps.
struct Steps<'a> {
    steps: &'a [Step],
    /// Of each step the ply at which it was last fulfilled after those before it, and where the first of them began.
    last: Vec<Option<(usize, usize)>>,
    /// Of each way of each step, in how many positions running it has been.
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

    /// Goes on to a position. Gives where the first step began, once all are fulfilled.
    fn to(&mut self, ply: usize, board: &Board, turn: Color, material: Material) -> Option<usize> {
        // From the last on: a position fulfils one step, not two one after the other.
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
