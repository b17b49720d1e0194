//! The positions of the variations of a game, however deep: each begins before the last move of the line
//! around it.

use crate::{
    chess::{Move, Pass},
    limits::MAX_VARIATION_DEPTH,
    rules::Rules,
};

/// A line of moves that is being walked.
struct Line<P> {
    now: P,
    before: Option<P>,
    /// Plies before `now`, counted from the start of the game.
    plies: usize,
}

/// Walks the variations of a game. The mainline is played only as far as a variation needs it.
pub(super) struct Walk<'a, P> {
    moves: &'a [Move],
    /// A position of the mainline and the plies before it.
    mainline: (P, usize),
    lines: Vec<Line<P>>,
    /// Whether the first of the lines is what the mainline goes on with after a null move.
    continued: bool,
}

impl<'a, P: Rules<Move = Move> + Pass> Walk<'a, P> {
    pub(super) fn new(start: &P, moves: &'a [Move]) -> Walk<'a, P> {
        Walk { moves, mainline: (start.clone(), 0), lines: Vec::new(), continued: false }
    }

    /// The number of plies of the mainline.
    pub(super) fn mainline_plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether moves are annotations: in a variation, and where the mainline goes on after a null move.
    pub(super) fn in_variation(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Whether a variation has begun that has not ended.
    pub(super) fn is_open(&self) -> bool {
        self.lines.len() > usize::from(self.continued)
    }

    /// Goes on with the mainline after its last move; `ply` is where it has come to.
    pub(super) fn go_on(&mut self, ply: usize) -> Option<()> {
        if self.in_variation() || ply != self.moves.len() {
            return None;
        }
        let mut now = self.mainline.0.clone();
        for &m in self.moves.get(self.mainline.1..)? {
            now.make(m);
        }
        self.lines.push(Line { now, before: None, plies: ply });
        self.continued = true;
        Some(())
    }

    /// Plies before the position at hand, if it is one of a variation.
    pub(super) fn plies(&self) -> usize {
        self.plies_to(self.mainline.1)
    }

    /// The same, where the mainline has come to a ply.
    pub(super) fn plies_to(&self, ply: usize) -> usize {
        self.lines.last().map_or(ply, |line| line.plies)
    }

    /// The position of the variation at hand.
    pub(super) fn variation(&self) -> Option<&P> {
        self.lines.last().map(|line| &line.now)
    }

    /// Begins a variation to the last move; `ply` is where the mainline has come to.
    pub(super) fn open(&mut self, ply: usize) -> Option<()> {
        if self.lines.len() >= MAX_VARIATION_DEPTH + usize::from(self.continued) {
            return None;
        }
        let (now, plies) = match self.lines.last() {
            Some(line) => (line.before.clone()?, line.plies - 1),
            None => (self.mainline_before(ply)?, ply - 1),
        };
        self.lines.push(Line { now, before: None, plies });
        Some(())
    }

    /// The position before the last of so many moves of the mainline.
    fn mainline_before(&mut self, ply: usize) -> Option<P> {
        let last = ply.checked_sub(1)?;
        for &m in self.moves.get(self.mainline.1..last)? {
            self.mainline.0.make(m);
        }
        self.mainline.1 = last;
        (last < self.moves.len()).then(|| self.mainline.0.clone())
    }

    pub(super) fn close(&mut self) -> Option<()> {
        self.is_open().then(|| self.lines.pop()).flatten().map(|_| ())
    }

    /// Plays a legal move of the variation at hand.
    pub(super) fn play(&mut self, m: Move) -> Option<()> {
        let line = self.lines.last_mut()?;
        line.before = Some(line.now.clone());
        line.now.make(m);
        line.plies += 1;
        Some(())
    }

    /// Plays a null move; `None` where that is not possible.
    pub(super) fn pass(&mut self) -> Option<()> {
        let line = self.lines.last_mut()?;
        let passed = line.now.pass()?;
        line.before = Some(std::mem::replace(&mut line.now, passed));
        line.plies += 1;
        Some(())
    }
}
