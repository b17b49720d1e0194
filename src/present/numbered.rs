//! Moves in SAN with their numbers.

use shakmaty::san::SanPlus;

use crate::{
    chess::{Color, Move, Position, VariantPosition},
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
