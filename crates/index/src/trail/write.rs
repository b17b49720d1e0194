//! Writing the trail of a game.

use super::{
    Change, Pawns,
    codes::{BY_PIECE, Codes, START, Which},
    events::Event,
    pawns::{files, on_file},
    phrases,
};
use plybook_chess::bits::Bits;

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
        codes.happens(coming.class(), before).write(number, &mut bits);
        pawns = write_place(event, pawns, &mut bits);
        before = number.into();
        if event.change().is_some() {
            coming = next.next().copied().unwrap_or(Change::END);
        }
    }
    codes.happens(Change::END.class(), before).write(BY_PIECE, &mut bits);
    bits.into_bytes()
}

/// Appends where an event happens. Returns the pawns after it.
fn write_place(event: Event, pawns: Pawns, bits: &mut Bits) -> Pawns {
    match event {
        Event::Pawn { m, by, from, to, .. } => {
            let view = pawns.seen_by(by);
            write_square(Which::Moving(m), view.movable(m), from, bits);
            let targets = view.captures(from.into(), m);
            if from % 8 != to % 8 && targets.count_ones() > 1 {
                bits.push_bit(to - from == 9);
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
fn write_square(which: Which, squares: u64, square: u8, bits: &mut Bits) {
    let file = square % 8;
    Codes::get().file(which, files(squares)).write(file, bits);
    let on_file = on_file(squares, file.into());
    let below = on_file & ((1 << square) - 1);
    bits.push(below.count_ones().into(), width(on_file));
}

/// Bits of an index among some squares.
pub(super) fn width(squares: u64) -> usize {
    squares.count_ones().next_power_of_two().trailing_zeros() as usize
}
