//! The current position of the annotations within a game. Unlike a reader of movetext, this cursor already has the
//! moves, and plays the mainline only as far as a variation needs it.

use crate::{
    chess::{Annotation, Move, NullMove, TreeCursor},
    rules::Rules,
};

/// A cursor over the variations of a game.
pub(super) struct VariationCursor<'a, P> {
    moves: &'a [Move],
    /// In the mainline, it may lag behind.
    tree: TreeCursor<P>,
    /// Whether the mainline continues after a null move.
    continued: bool,
}

impl<'a, P: Rules<Move = Move> + NullMove> VariationCursor<'a, P> {
    pub(super) fn new(start: &P, moves: &'a [Move]) -> VariationCursor<'a, P> {
        VariationCursor { moves, tree: TreeCursor::new(start.clone(), 0, ()), continued: false }
    }

    /// The number of mainline plies.
    pub(super) fn mainline_plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether moves are annotations: in a variation, or after the null move that continues the mainline.
    pub(super) fn in_variation(&self) -> bool {
        self.is_open() || self.continued
    }

    /// Whether a variation is open.
    pub(super) fn is_open(&self) -> bool {
        self.tree.depth() > 0
    }

    /// Number of plies before the position, given the current mainline ply.
    pub(super) fn plies(&self, ply: usize) -> usize {
        if self.in_variation() { self.tree.plies() } else { ply }
    }

    /// The position, if moves are annotations.
    pub(super) fn variation(&self) -> Option<&P> {
        self.in_variation().then(|| self.tree.position())
    }

    /// Follows an annotation after some mainline plies; `None` if it is not allowed there.
    pub(super) fn follow(&mut self, ply: usize, annotation: Annotation<'_>) -> Option<()> {
        match annotation {
            Annotation::Comment(_) | Annotation::Nag(_) => Some(()),
            Annotation::Open => self.open(ply),
            Annotation::Close => self.tree.close(),
            Annotation::Move(m) => self.in_variation().then(|| self.tree.play(m)),
            Annotation::Null => self.in_variation().then(|| self.tree.null_move()).flatten(),
            Annotation::Result(_) => self.is_open().then_some(()),
            Annotation::Continue => self.continue_mainline(ply),
        }
    }

    /// Continues the mainline after its last move; `ply` is the current mainline ply.
    fn continue_mainline(&mut self, ply: usize) -> Option<()> {
        if self.in_variation() || ply != self.moves.len() {
            return None;
        }
        self.advance(ply)?;
        self.tree.settle();
        self.continued = true;
        Some(())
    }

    /// Begins a variation that replaces the last move; `ply` is the current mainline ply.
    fn open(&mut self, ply: usize) -> Option<()> {
        if !self.in_variation() {
            self.advance(ply)?;
        }
        self.tree.open(()).ok()
    }

    /// Plays the mainline up to a ply, so that a variation to its last move can begin.
    fn advance(&mut self, ply: usize) -> Option<()> {
        for (place, &m) in (self.tree.plies()..ply).zip(self.moves.get(self.tree.plies()..ply)?) {
            self.tree.play_with(place + 1 == ply, |now| now.make(m));
        }
        Some(())
    }
}
