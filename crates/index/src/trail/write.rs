//! The irreversible events of a game, and writing its trail.

use super::{
    Change, Pawns,
    codes::{BY_PAWN, BY_PIECE, Codes, EN_PASSANT, EventBits, START, Which},
    pawns::{PawnMove, files, on_file},
    phrases,
};
use crate::width;
use plybook_chess::{
    bits::Bits,
    chess::{Color, Move, Role, Square},
};

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

/// Appends the changes of the material as bytes, and returns the pawns as bytes.
pub(super) fn write(events: &[Event], materials: &mut Vec<u8>) -> Vec<u8> {
    let mut changes: Vec<Change> = events.iter().filter_map(|event| event.change()).collect();
    changes.push(Change::END);
    phrases::write(&changes, materials);
    let (codes, mut bits) = (Codes::get(), Bits::default());
    let (mut pawns, mut before, mut next) = (Pawns::STANDARD, START, changes.iter());
    let mut coming = next.next().copied().unwrap_or(Change::END);
    for &event in events {
        let number = event.number();
        let mut own = EventBits::default();
        codes.happens(coming.class(), before).write(number, &mut own);
        pawns = write_place(event, pawns, &mut own);
        bits.push(own.bits, own.width);
        before = number.into();
        if event.change().is_some() {
            coming = next.next().copied().unwrap_or(Change::END);
        }
    }
    let mut end = EventBits::default();
    codes.happens(Change::END.class(), before).write(BY_PIECE, &mut end);
    bits.push(end.bits, end.width);
    bits.into_bytes()
}

/// Appends where an event happens. Returns the pawns after it.
fn write_place(event: Event, pawns: Pawns, bits: &mut EventBits) -> Pawns {
    match event {
        Event::Pawn { m, by, from, to, .. } => {
            let view = pawns.seen_by(by);
            write_square(Which::Moving(m), view.movable(m), from, bits);
            let targets = view.captures(from.into(), m);
            if from % 8 != to % 8 && targets.count_ones() > 1 {
                bits.push((to - from == 9).into(), 1);
            }
            view.after(m, from.into(), to.into()).pawns(by)
        }
        Event::Piece { by, pawn: Some(pawn), .. } => {
            let mut view = pawns.seen_by(by);
            write_square(Which::Taken, view.other, pawn, bits);
            view.other &= !(1 << pawn);
            view.pawns(by)
        }
        Event::Piece { .. } => pawns,
    }
}

/// Appends one of several squares: its file, and its index among those of the file.
fn write_square(which: Which, squares: u64, square: u8, bits: &mut EventBits) {
    let file = square % 8;
    Codes::get().file(which, files(squares)).write(file, bits);
    let on_file = on_file(squares, file.into());
    let below = on_file & ((1 << square) - 1);
    bits.push(below.count_ones().into(), width(on_file.count_ones() as usize));
}
