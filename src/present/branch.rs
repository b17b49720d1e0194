//! A position in a tree of lines, whose moves are written.

use crate::{
    chess::{Color, Position},
    query::OpeningName,
};

/// A position whose moves are written.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    /// The games that came here by this line.
    pub games: u64,
    /// The moves before it in the tree.
    pub depth: usize,
    /// The name of the last position up to here that has one; empty if none has.
    pub name: &'static str,
    /// The number of the next move.
    number: u32,
    turn: Color,
}

impl Branch {
    /// The first position, and the name that is known of it.
    pub fn first(from: &impl Position, games: u64, name: &'static str) -> Branch {
        Branch { games, depth: 0, name, number: from.fullmoves().get(), turn: from.turn() }
    }

    /// A move from here with its number: `3. Bb5` or `3... a6`.
    pub fn numbered(self, san: &str) -> String {
        format!("{}{} {san}", self.number, self.turn.fold_wb(".", "..."))
    }

    /// The position after a move, with the number of games that played it and the opening named after it, if any.
    pub fn next(self, games: u64, opening: Option<&OpeningName>) -> Branch {
        Branch {
            games,
            depth: self.depth + 1,
            name: opening.map_or(self.name, |opening| opening.name),
            number: self.turn.fold_wb(self.number, self.number.saturating_add(1)),
            turn: !self.turn,
        }
    }
}
