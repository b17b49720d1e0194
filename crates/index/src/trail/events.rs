//! The irreversible events of a game.

use super::{
    Change,
    codes::{BY_PAWN, BY_PIECE, EN_PASSANT},
    pawns::PawnMove,
};
use plybook_chess::chess::{Color, Move, Role, Square};

/// An event. Squares are seen from the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A pawn moves.
    Pawn { m: PawnMove, by: Color, from: u8, to: u8, change: Option<Change> },
    /// A piece captures: a pawn on a square, or another piece.
    Piece { by: Color, pawn: Option<u8>, change: Change },
}

impl Event {
    /// The event of a move; `None` if the move is reversible.
    pub fn of(m: Move, by: Color) -> Option<Event> {
        let seen = |square: Square| square as u8 ^ by.fold_wb(0, 56);
        let captured = m.capture();
        if m.role() != Role::Pawn {
            let change = Change::capture(by, captured?);
            let pawn = captured.filter(|role| *role == Role::Pawn).map(|_| seen(m.to()));
            return Some(Event::Piece { by, pawn, change });
        }
        let (from, to) = (seen(m.from()?), seen(m.to()));
        let change = match m.promotion() {
            Some(role) => Some(Change::promotion(by, role, captured)),
            None => captured.map(|role| Change::capture(by, role)),
        };
        let m = match (captured, m.promotion()) {
            _ if m.is_en_passant() => PawnMove::EnPassant,
            (None, Some(_)) => PawnMove::Promotes,
            (None, None) if to - from == 16 => PawnMove::Two,
            (None, None) => PawnMove::One,
            (Some(_), Some(_)) => PawnMove::TakesPromoting,
            (Some(Role::Pawn), None) => PawnMove::TakesPawn,
            (Some(_), None) => PawnMove::Takes,
        };
        Some(Event::Pawn { m, by, from, to, change })
    }

    /// Its change of the material.
    pub fn change(self) -> Option<Change> {
        match self {
            Event::Pawn { change, .. } => change,
            Event::Piece { change, .. } => Some(change),
        }
    }

    /// Its number; see [`codes`](super::codes).
    pub fn number(self) -> u8 {
        match self {
            Event::Pawn { m: m @ (PawnMove::One | PawnMove::Two), by, .. } => {
                u8::from(m == PawnMove::Two) + by.fold_wb(0, 2)
            }
            Event::Pawn { m: PawnMove::EnPassant, .. } => EN_PASSANT,
            Event::Pawn { .. } => BY_PAWN,
            Event::Piece { .. } => BY_PIECE,
        }
    }
}
