//! A position in a tree of lines, for printing its moves.

use crate::{
    chess::{Color, Position},
    query::OpeningName,
};

/// A position whose moves are printed.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    /// The games that followed this line.
    pub games: u64,
    /// The moves before it in the tree.
    pub depth: usize,
    /// The opening name of the last named position up to here; empty if there is none.
    pub name: &'static str,
    /// The number of the next move.
    number: u32,
    turn: Color,
}

impl Branch {
    /// The first position, with its opening name.
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
