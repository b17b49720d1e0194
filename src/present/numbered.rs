//! Moves in SAN with their numbers, in a line and in a tree of lines.

use std::borrow::Borrow;

use shakmaty::san::SanPlus;

use crate::{
    chess::{Color, Move, Position, VariantPosition},
    query::OpeningName,
    rules::Rules,
};

/// A move with its number, if it has one: Black's moves only at the start of a line.
pub(super) fn numbered(position: &VariantPosition, san: &SanPlus, first: bool) -> String {
    match (Position::turn(position), first) {
        (Color::White, _) => format!("{}. {san}", position.fullmoves()),
        (Color::Black, true) => format!("{}... {san}", position.fullmoves()),
        (Color::Black, false) => san.to_string(),
    }
}

/// The moves of a line from a position: "1. e4 c5 2. Nf3".
pub(super) fn numbered_line(mut position: VariantPosition, moves: &[Move]) -> String {
    let word = |(at, m): (usize, &Move)| {
        let word = numbered(&position, &SanPlus::from_move(position.clone(), *m), at == 0);
        position.make(*m);
        word
    };
    moves.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// The moves of a line from the first move of a game, with their numbers: "1. e4 c5 2. Nf3".
pub(crate) fn from_first_move<T: Borrow<str>>(moves: &[T]) -> String {
    let pairs = (1..).zip(moves.chunks(2)).map(|(number, pair)| format!("{number}. {}", pair.join(" ")));
    pairs.collect::<Vec<_>>().join(" ")
}

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

    /// A move from here after the moves before it: `3. Bb5 a6`.
    pub fn after(self, moves: &str, san: &str) -> String {
        match (self.turn, moves) {
            (_, "") => self.numbered(san),
            (Color::White, _) => format!("{moves} {}", self.numbered(san)),
            (Color::Black, _) => format!("{moves} {san}"),
        }
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
