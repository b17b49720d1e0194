//! A cursor over a mainline with variations, used to read, write and display them.
//!
//! A variation is an alternative to the last move of the enclosing line, so it begins in the position before that
//! move. Each open line keeps two positions, and there is no recursion, so nested variations use no stack.

use super::{Move, NullMove};
use crate::{limits::MAX_VARIATION_DEPTH, rules::Rules};

/// A node in a tree of moves: a position of the mainline or of a variation, and the enclosing lines. `L` is the
/// caller's data per line.
#[derive(Clone, Debug)]
pub struct TreeCursor<P, L = ()> {
    line: Line<P, L>,
    /// The enclosing lines, the mainline first.
    outer: Vec<Line<P, L>>,
}

#[derive(Clone, Debug)]
struct Line<P, L> {
    now: P,
    /// The position before the last move, if there was one and a variation may replace it.
    before: Option<P>,
    plies: usize,
    own: L,
}

/// Why a variation cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVariation {
    /// The line has no move yet.
    #[error("a variation must follow a move")]
    NoMove,
    /// There are already [`MAX_VARIATION_DEPTH`] enclosing variations.
    #[error("variations are nested deeper than {MAX_VARIATION_DEPTH} levels")]
    TooDeep,
}

impl<P: Clone, L> TreeCursor<P, L> {
    /// A cursor at the start of the mainline, with the number of plies played before it.
    pub fn new(start: P, plies: usize, own: L) -> TreeCursor<P, L> {
        TreeCursor { line: Line { now: start, before: None, plies, own }, outer: Vec::new() }
    }

    /// The position.
    pub fn position(&self) -> &P {
        &self.line.now
    }

    /// Number of plies before the position, from the start of the game.
    pub fn plies(&self) -> usize {
        self.line.plies
    }

    /// The nesting depth of the current variation; 0 in the mainline.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Whether the line has a last move that a variation may replace.
    pub fn has_last_move(&self) -> bool {
        self.line.before.is_some()
    }

    /// The caller's data of this line.
    pub fn own(&self) -> &L {
        &self.line.own
    }

    /// The caller's data of this line.
    pub fn own_mut(&mut self) -> &mut L {
        &mut self.line.own
    }

    /// Plays a move. If `varied` is false, no variation can replace it, and no position is kept for one.
    pub fn play_with<R>(&mut self, varied: bool, play: impl FnOnce(&mut P) -> R) -> R {
        self.line.before = varied.then(|| self.line.now.clone());
        self.line.plies += 1;
        play(&mut self.line.now)
    }

    /// Begins a variation that replaces the last move.
    ///
    /// # Errors
    /// The line has no last move, or the variation would be nested too deeply.
    pub fn open(&mut self, own: L) -> Result<(), NoVariation> {
        if !self.has_last_move() {
            return Err(NoVariation::NoMove);
        }
        if self.depth() >= MAX_VARIATION_DEPTH {
            return Err(NoVariation::TooDeep);
        }
        self.open_anyway(own);
        Ok(())
    }

    /// Begins a variation at any depth; if the line has no last move, from its current position.
    pub fn open_anyway(&mut self, own: L) {
        let Line { now, before, plies, .. } = &self.line;
        let (now, plies) = match before {
            Some(before) => (before.clone(), plies - 1),
            None => (now.clone(), *plies),
        };
        let inner = Line { now, before: None, plies, own };
        self.outer.push(std::mem::replace(&mut self.line, inner));
    }

    /// Ends the variation and returns to the enclosing line. Returns the caller's data; `None` in the mainline.
    pub fn close(&mut self) -> Option<L> {
        let outer = self.outer.pop()?;
        Some(std::mem::replace(&mut self.line, outer).own)
    }

    /// Allows no more variations that replace the last move.
    pub fn settle(&mut self) {
        self.line.before = None;
    }
}

impl<P: Rules<Move = Move>, L> TreeCursor<P, L> {
    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.play_with(true, |now| now.make(m));
    }
}

impl<P: NullMove, L> TreeCursor<P, L> {
    /// Plays a null move; in check, returns `None` and plays nothing.
    pub fn null_move(&mut self) -> Option<()> {
        let passed = self.line.now.null_move()?;
        self.line.before = Some(std::mem::replace(&mut self.line.now, passed));
        self.line.plies += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Chess, Color, Position, San},
        rules::LegalMoves,
    };

    fn play(tree: &mut TreeCursor<Chess, char>, san: &str) {
        let m = san.parse::<San>().unwrap().to_move(tree.position()).unwrap();
        tree.play(m);
    }

    #[test]
    fn a_variation_replaces_the_last_move_of_the_enclosing_line() {
        let mut tree = TreeCursor::new(Chess::new(), 0, 'm');
        assert_eq!(tree.open('a'), Err(NoVariation::NoMove));
        play(&mut tree, "e4");
        play(&mut tree, "e5");
        let mainline = tree.position().clone();
        tree.open('a').unwrap();
        assert_eq!((tree.depth(), tree.plies(), tree.has_last_move()), (1, 1, false));
        play(&mut tree, "c5");
        tree.null_move().unwrap();
        assert_eq!((tree.plies(), Position::turn(tree.position())), (3, Color::Black));
        tree.open('b').unwrap();
        play(&mut tree, "Nf3");
        assert_eq!((tree.depth(), tree.plies()), (2, 3));
        assert_eq!((tree.close(), *tree.own(), tree.plies()), (Some('b'), 'a', 3));
        assert_eq!((tree.close(), tree.position() == &mainline), (Some('a'), true));
        assert_eq!((tree.close(), tree.plies()), (None, 2));
        tree.settle();
        assert_eq!(tree.open('c'), Err(NoVariation::NoMove));
        tree.open_anyway('c');
        assert_eq!((tree.position() == &mainline, tree.plies()), (true, 2));
    }

    #[test]
    fn variations_nest_up_to_the_limit() {
        let mut tree = TreeCursor::new(Chess::new(), 0, ());
        for depth in 0..=MAX_VARIATION_DEPTH {
            let m = tree.position().legal().nth(0).unwrap();
            tree.play(m);
            assert_eq!(tree.depth(), depth);
            assert_eq!(tree.open(()).is_ok(), depth < MAX_VARIATION_DEPTH);
        }
        assert_eq!(tree.open(()), Err(NoVariation::TooDeep));
        tree.open_anyway(());
        assert_eq!(tree.depth(), MAX_VARIATION_DEPTH + 1);
    }
}
